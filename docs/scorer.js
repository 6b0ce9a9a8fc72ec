// The order of search results. The weights are the defaults of Sphinx, but the glossary comes after
// the chapter that explains a term.
var Scorer = {
  score: (result) => result[4] - (result[5].startsWith("reference/glossary") ? 50 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
