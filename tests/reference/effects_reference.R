# Reference intervals of dz: the noncentrality at which t is the upper and lower quantile, by R's own noncentral t.
#   Rscript tests/reference/effects_reference.R
quantile_at <- function(t, df, p) uniroot(function(d) pt(t, df, d) - p, c(t - 25, t + 25), tol = 1e-13)$root
rows <- lapply(list(c(4.12, 33), c(5.95, 33), c(10.02, 33), c(0.4, 10), c(1.66, 10), c(2.64, 10), c(14.08, 1000)), function(x) {
  list(t = x[1], n = x[2], low = quantile_at(x[1], x[2] - 1, 0.975) / sqrt(x[2]),
       high = quantile_at(x[1], x[2] - 1, 0.025) / sqrt(x[2]))
})
result <- list(R = R.version.string, dz = rows)
writeLines(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA, pretty = TRUE), "tests/reference/effects_reference.json")
