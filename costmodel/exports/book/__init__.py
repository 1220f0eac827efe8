"""The sheets of the spreadsheet, one module each."""
