"""Speed of the kernels, as multiples of a floor that is measured beside them."""
