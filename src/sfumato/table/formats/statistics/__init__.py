"""What files of Stata and SPSS have in common: numbers and texts with labels, several kinds of missing values."""
