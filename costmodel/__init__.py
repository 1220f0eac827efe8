"""Self-host or API? The cost model: prices in, a dated and sourced comparison out."""
