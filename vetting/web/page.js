"use strict";
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("#again").addEventListener("click", () => location.reload());
});
