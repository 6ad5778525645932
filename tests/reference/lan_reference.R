# The crossed model of the DiD of Lan et al.'s filtered set under an earlier bundled model (lan_did.json), by lme4 and lmerTest:
#   Rscript tests/reference/lan_reference.R
suppressPackageStartupMessages(library(lmerTest))
given <- jsonlite::fromJSON("tests/reference/lan_did.json")
# The last slot varies fastest.
data <- rev(expand.grid(rev(given$slots), stringsAsFactors = TRUE))
data$did <- given$values
slots <- names(given$slots)
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
fit <- lmer(as.formula(paste("did ~ 1 +", paste0("(1 | ", slots, ")", collapse = " + "))), data, control = tight)
row <- coef(summary(fit))[1, ]
result <- list(lme4 = as.character(packageVersion("lme4")), n = nrow(data), naive_t = t.test(data$did)$statistic[["t"]],
  estimate = row[["Estimate"]], se = row[["Std. Error"]], df = row[["df"]], t = row[["t value"]], p = row[["Pr(>|t|)"]])
writeLines(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA, pretty = TRUE), "tests/reference/lan_reference.json")
