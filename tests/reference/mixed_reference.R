# Reference values for formulas and mixed models: model.matrix, lme4 and lmerTest over mixed_data.csv.
#   Rscript tests/reference/mixed_reference.R
suppressPackageStartupMessages(library(lmerTest))
data <- read.csv("tests/reference/mixed_data.csv", stringsAsFactors = TRUE)
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5), check.conv.singular = "ignore")
tight_glmer <- glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), tolPwrss = 1e-10)
coding <- function(name) options(contrasts = c(if (name == "sum") "contr.sum" else "contr.treatment", "contr.poly"))

# Fixed parts only; rows of the first six items are enough to tell columns apart.
matrices <- list(
  c("treatment", "~ filler"), c("sum", "~ filler * gap"), c("treatment", "~ 0 + filler"), c("treatment", "~ 0 + filler:gap"),
  c("treatment", "~ filler + filler:gap"), c("sum", "~ filler + filler:gap"), c("sum", "~ 0 + filler + gap"),
  c("sum", "~ (filler + gap + island)^2"), c("treatment", "~ filler / gap"), c("sum", "~ (filler + gap) / island"),
  c("treatment", "~ filler * gap * island - filler:gap:island"), c("sum", "~ verb * length"), c("treatment", "~ verb:length"),
  c("treatment", "~ length:verb + filler"), c("sum", "~ factor(depth) + log(length)"), c("treatment", "~ factor(depth):filler - 1"),
  c("sum", "~ I(length^2) + sqrt(length) * gap"), c("treatment", "~ verb + gap:island"), c("treatment", "~ gap:verb + verb"),
  c("sum", "~ island * (verb + scale(length))"), c("treatment", "~ length %in% gap + filler - 1"), c("sum", "~ 1"))
few <- data[data$item %in% levels(data$item)[1:6], ]
matrix_of <- function(spec) {
  coding(spec[1])
  columns <- model.matrix(as.formula(spec[2]), few)
  list(coding = spec[1], formula = spec[2], columns = unname(lapply(seq_len(ncol(columns)), function(i) unname(columns[, i]))))
}

lmm <- list(
  c("sum", "surprisal ~ filler * gap + (1 | item)"), c("treatment", "surprisal ~ filler * gap + (1 | item)"),
  c("sum", "surprisal ~ filler * gap * island + (1 | item) + (1 | word)"), c("sum", "surprisal ~ filler * gap + (1 | item) + (1 | item:gap)"),
  c("treatment", "surprisal ~ filler + filler:gap + (1 | item)"), c("treatment", "surprisal ~ 0 + filler:gap + (1 | item)"),
  c("sum", "surprisal ~ filler * gap + (filler | item)"), c("treatment", "surprisal ~ filler * gap + (filler | item) + (1 | word)"),
  c("sum", "surprisal ~ filler * gap + (length || item)"), c("sum", "log(surprisal) ~ filler / gap + (1 | item)"),
  c("sum", "surprisal ~ (filler + gap + island)^2 + (1 | item)"), c("treatment", "surprisal ~ verb + filler * gap + (1 | item) + (1 | word)"),
  c("sum", "surprisal ~ scale(length) * filler + gap + (1 | item)"), c("sum", "surprisal ~ filler * gap + (1 | verb / item)"),
  c("sum", "surprisal ~ 1 + (1 | item) + (1 | word)"), c("treatment", "surprisal ~ factor(depth) + gap + (1 | item)"),
  c("sum", "surprisal ~ gap + (0 + gap | item)"), c("sum", "surprisal ~ filler + gap + I(length - 8) + (1 | item) + (0 + length | item)"),
  c("sum", "surprisal ~ filler * gap - filler + (1 | item)"), c("sum", "surprisal ~ filler * gap * island + (filler * gap | item)"),
  c("sum", "surprisal ~ island + (1 | item) + (1 | word) + (1 | verb)"))
fit_of <- function(spec, reml) {
  coding(spec[1])
  warned <- character()
  fit <- withCallingHandlers(lmer(as.formula(spec[2]), data, REML = reml, control = tight),
    warning = function(w) { warned <<- c(warned, conditionMessage(w)); invokeRestart("muffleWarning") })
  rows <- coef(summary(fit))
  components <- as.data.frame(VarCorr(fit))
  sds <- components[is.na(components$var2) & components$grp != "Residual", ]
  list(coding = spec[1], formula = spec[2], reml = reml, estimate = unname(rows[, "Estimate"]), se = unname(rows[, "Std. Error"]),
       df = unname(rows[, "df"]), p = unname(rows[, "Pr(>|t|)"]), sds = sds$sdcor, sd_groups = sds$grp, sigma = sigma(fit),
       log_likelihood = as.numeric(logLik(fit)), singular = isSingular(fit), warnings = warned)
}

glmm <- list(c("sum", "correct ~ filler * gap + (1 | item)"), c("treatment", "correct ~ filler + (1 | item) + (1 | word)"),
             c("sum", "cbind(hits, misses) ~ filler + gap + (1 | item)"), c("sum", "cbind(hits, misses) ~ filler * island + (filler | item)"))
logistic_of <- function(spec) {
  coding(spec[1])
  fit <- suppressMessages(glmer(as.formula(spec[2]), data, family = binomial, control = tight_glmer))
  rows <- coef(summary(fit))
  components <- as.data.frame(VarCorr(fit))
  list(coding = spec[1], formula = spec[2], estimate = unname(rows[, 1]), se = unname(rows[, 2]), p = unname(rows[, 4]),
       sds = components[is.na(components$var2), "sdcor"], log_likelihood = as.numeric(logLik(fit)), singular = isSingular(fit))
}

result <- list(
  versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))),
  matrices = lapply(matrices, matrix_of), lmm = c(lapply(lmm, fit_of, TRUE), lapply(lmm[1:3], fit_of, FALSE)),
  glmm = lapply(glmm, logistic_of))
writeLines(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA), "tests/reference/mixed_reference.json")
