"""Whether one metric agrees better than another."""
