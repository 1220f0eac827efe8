"""Demand over the hours: traffic, whole units that follow it, the peak sent to the API."""
