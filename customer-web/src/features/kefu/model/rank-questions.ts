const WORD = /[\p{L}\p{N}]+/gu
/** Shorter words say little about a subject; in scripts without spaces between words each character counts. */
const SHORT = 3

/** The words of a text by which subjects are told apart. */
function wordsOf(text: string): Set<string> {
  const found = text.toLocaleLowerCase().match(WORD) ?? []
  return new Set(
    found.flatMap((word) =>
      /\p{Script=Han}/u.test(word) ? [...word] : word.length > SHORT ? [word] : [],
    ),
  )
}

/** The questions that share most words with a text, the best first; without a text the first ones. */
export function rankQuestions<Question extends { title: string }>(
  questions: readonly Question[],
  text: string,
  most: number,
): Question[] {
  const words = wordsOf(text)
  if (words.size === 0) return questions.slice(0, most)
  return questions
    .map((question) => ({
      question,
      shared: [...wordsOf(question.title)].filter((word) => words.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ question }) => question)
}
