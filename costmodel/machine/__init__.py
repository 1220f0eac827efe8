"""What a deployment can do: speed, prefill, memory, and the measurements that say so."""
