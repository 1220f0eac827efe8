"""What turns the verdict, and how likely it is: ranges, draws, tornado, turning points, map."""
