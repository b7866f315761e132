"""Language models on a server are asked for marks: templates, questions, what was answered, and what it comes to."""
