"""Tables that Spark counts."""
