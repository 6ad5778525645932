# Reference values for the crossed test: lme4 and lmerTest over crossing_data.csv. Run from the repository root:
#   Rscript tests/reference/crossing_reference.R
suppressPackageStartupMessages(library(lmerTest))
data <- read.csv("tests/reference/crossing_data.csv")
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
result <- list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")),
                               lmerTest = as.character(packageVersion("lmerTest"))), sets = list())
for (name in unique(data$set)) {
  own <- data[data$set == name, ]
  slots <- Filter(function(slot) length(unique(own[[slot]])) > 1, c("noun", "linker", "verb", "object", "adverb"))
  formula <- as.formula(paste("value ~ 1 +", paste0("(1 | ", slots, ")", collapse = " + ")))
  fit <- suppressMessages(lmer(formula, own, control = tight))
  row <- coef(summary(fit))[1, ]
  naive <- t.test(own$value)
  result$sets[[name]] <- list(n = nrow(own), slots = slots, estimate = row[["Estimate"]], se = row[["Std. Error"]],
    df = row[["df"]], t = row[["t value"]], p = row[["Pr(>|t|)"]], log_likelihood = as.numeric(logLik(fit)),
    singular = isSingular(fit), naive_t = naive$statistic[["t"]])
}
writeLines(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA, pretty = TRUE), "tests/reference/crossing_reference.json")
