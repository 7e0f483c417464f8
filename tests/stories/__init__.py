"""What people do with it, from their first file to their last."""
