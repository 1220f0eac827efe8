"""Every input of the comparison, by subject, each with its type, bounds, unit, label and help."""
