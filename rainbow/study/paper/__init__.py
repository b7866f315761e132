"""What a paper says of a study: methods, datasheet, tables, questions as pictures, hashes."""
