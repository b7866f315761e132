"""Tables spread over many files, and rows read by other machines."""
