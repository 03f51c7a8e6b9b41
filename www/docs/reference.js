/** The reference's search, remembered choice of language, and buttons that copy code; the page to begin with has only the last. */
const search = document.getElementById("search");
const menu = document.querySelector(".menu");

function searches() {
  const found = document.getElementById("found");
  const articles = [...document.querySelectorAll("article")].map((article) => ({ article, text: `${article.id} ${article.textContent}`.toLowerCase() }));
  const links = [...document.querySelectorAll("nav li li")].map((item) => ({ item, id: item.querySelector("a").hash.slice(1) }));

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const visible = new Set();
    for (const { article, text } of articles) {
      article.hidden = !words.every((word) => text.includes(word));
      if (!article.hidden) visible.add(article.id);
    }
    for (const { item, id } of links) item.hidden = words.length > 0 && !visible.has(id);
    for (const section of document.querySelectorAll("main section")) {
      section.hidden = words.length > 0 && section.querySelector("article:not([hidden])") === null;
    }
    found.textContent = words.length === 0 ? "" : `${visible.size} found`;
  }

  search.addEventListener("input", show);
  search.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      show();
    }
  });

  // An address that names something hidden by the search shows it.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.closest("[hidden]")) {
      search.value = "";
      show();
      target.scrollIntoView();
    }
  });
}

/** On a wide page the list of operations is always open. */
function arranges() {
  const wide = matchMedia("(min-width: 60rem)");
  const arrange = () => { menu.open = wide.matches; };
  wide.addEventListener("change", arrange);
  arrange();
  menu.addEventListener("click", (event) => {
    if (!wide.matches && event.target.closest("a")) menu.open = false;
  });
}

if (search) searches();
if (menu) arranges();

const remembered = localStorage.getItem("language");
const chosen = remembered && document.getElementById(`language-${remembered}`);
if (chosen) chosen.checked = true;
for (const radio of document.querySelectorAll("input[name=language]")) {
  radio.addEventListener("change", () => localStorage.setItem("language", radio.value));
}

if (navigator.clipboard) {
  for (const sample of document.querySelectorAll(".sample")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(sample.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    sample.querySelector(".language").append(" ", button);
  }
}
