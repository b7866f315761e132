"""Statistics on plain arrays, without column names."""
