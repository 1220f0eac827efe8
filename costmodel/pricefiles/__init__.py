"""The files of prices/ as files: read, checked, compared, appended to, listed."""
