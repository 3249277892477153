/** Cuts trailing `characters` off. A loop, because `/[…]+$/` takes quadratic time on hostile input. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
