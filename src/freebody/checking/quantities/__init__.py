"""What is derived of a model, by the names that a document may use."""
