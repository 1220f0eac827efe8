"""Rent, reserve, spot or buy against the API over years."""
