"""What columns are called, and what stands in them."""
