"""Documents: the content of a result as data, and a renderer for each format."""
