# Reads the long frame that `gapsmith export long -o results.csv` writes. source("gapsmith.R"); base R is enough.

# The frame: items, words and labels as text, numbers as numbers, each factor with the codes (such as .5 and -.5) that gapsmith tests with.
# Several measures or scorers in one file are one too many for any model: say which, by `measure` and `scorer` (a number of the column).
gapsmith_read <- function(file, measure = NULL, scorer = NULL) {
  d <- read.csv(file, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
  needed <- c("item", "condition", "region", "critical", "measure", "scorer", "value", "observation")
  lacking <- setdiff(needed, names(d))
  if (length(lacking)) {
    stop(file, " has no column ", paste(lacking, collapse = ", "), ": write it with `gapsmith export long -o ", file, "`", call. = FALSE)
  }
  codes <- grep("_code$", names(d), value = TRUE)
  for (name in intersect(c("region_number", "critical", "value", "n_tokens", "context_length", codes), names(d))) {
    d[[name]] <- as.numeric(d[[name]])
  }
  d <- one_of(d, "measure", measure)
  d <- one_of(d, "scorer", scorer)
  for (code in codes) {
    name <- sub("_code$", "", code)
    levels <- unique(d[!is.na(d[[code]]), c(name, code)])
    levels <- levels[order(-levels[[code]]), ]
    d[[name]] <- factor(d[[name]], levels = levels[[name]])
    if (nrow(levels) == 2) contrasts(d[[name]]) <- matrix(levels[[code]], dimnames = list(levels[[name]], "1"))
  }
  d
}

# Rows of one value of a column; an error that names the values where there are several and none is said.
one_of <- function(d, column, value) {
  there <- unique(d[[column]])
  if (is.null(value)) {
    if (length(there) > 1) stop("several in column ", column, ": ", paste(there, collapse = ", "), "; say which, as ", column, " = \"", there[1], "\"", call. = FALSE)
    return(d)
  }
  if (!value %in% there) stop("no row has ", column, " ", value, "; there are ", paste(there, collapse = ", "), call. = FALSE)
  d[d[[column]] == value, ]
}

# Rows of the critical region, those without a value left out and counted.
gapsmith_critical <- function(d) {
  d <- d[d$critical == 1, ]
  without <- sum(is.na(d$value))
  if (without) message(without, " rows have no value (see their column reason) and are left out")
  d[!is.na(d$value), ]
}

# One row per pair of measurements: `plus` minus `minus`, names of conditions. Items that share both measurements are one row.
gapsmith_differences <- function(d, plus, minus) {
  for (name in c(plus, minus)) {
    if (!name %in% d$condition) stop("no condition is called ", name, "; there are ", paste(unique(d$condition), collapse = ", "), call. = FALSE)
  }
  d <- gapsmith_critical(d)
  key <- intersect(c("paradigm", "dataset", "item", "context"), names(d))
  one <- d[d$condition == plus, c(key, "value", "observation")]
  other <- d[d$condition == minus, c(key, "value", "observation")]
  both <- merge(one, other, by = key, suffixes = c("_plus", "_minus"))
  both$difference <- both$value_plus - both$value_minus
  both[!duplicated(both[c("observation_plus", "observation_minus")]), ]
}
