# Reference values: intervals of dz by R's noncentral t, correlations by cor.test, quartiles and MAD by R.
#   Rscript tests/reference/effects_reference.R
quantile_at <- function(t, df, p) uniroot(function(d) pt(t, df, d) - p, c(t - 25, t + 25), tol = 1e-13)$root
rows <- lapply(list(c(4.12, 33), c(5.95, 33), c(10.02, 33), c(0.4, 10), c(1.66, 10), c(2.64, 10), c(14.08, 1000)), function(x) {
  list(t = x[1], n = x[2], low = quantile_at(x[1], x[2] - 1, 0.975) / sqrt(x[2]),
       high = quantile_at(x[1], x[2] - 1, 0.025) / sqrt(x[2]))
})
x <- c(-1.25, 0.5, 2.75, -0.125, 1.5, 3, -2, 0.875, 4.25, 1.125, -0.375, 2.125)
y <- c(-0.5, 0.75, 1.25, 0.5, 0.75, 2.5, -2.25, 1.5, 1, 2, -1.75, 0.25)
yes <- c(0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1)
described <- function(found, r = found$estimate[[1]], interval = found$conf.int) {
  list(r = r, t = unname(found$statistic), p = found$p.value, low = interval[1], high = interval[2])
}
# Bonett and Wright's interval of Spearman's coefficient, and t over the ranks.
rank_r <- cor(rank(x), rank(y))
rank_half <- qnorm(0.975) * sqrt((1 + rank_r^2 / 2) / (length(x) - 3))
far <- c(x, 30)
result <- list(
  R = R.version.string, dz = rows, x = x, y = y, yes = yes,
  pearson = described(cor.test(x, y)), point_biserial = described(cor.test(yes, x)),
  spearman = described(cor.test(rank(x), rank(y)), rank_r, tanh(atanh(rank_r) + c(-1, 1) * rank_half)),
  mad = mad(far), quartiles = unname(quantile(far, c(0.25, 0.75))), median = median(far))
writeLines(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA, pretty = TRUE), "tests/reference/effects_reference.json")
