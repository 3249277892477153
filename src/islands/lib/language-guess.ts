/** Languages that are written in a script of their own, and the script. */
const ownScripts = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
] as const

/** Languages that share one of the scripts above: an author who usually writes one of them writes it now. */
const sharing: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE'],
  ar: ['fa', 'ur', 'ckb', 'ps', 'ug', 'sd'],
  ru: ['uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg', 'tt', 'ba', 'cv', 'ce', 'os'],
  hi: ['mr', 'ne', 'sa', 'bh'],
}

/** Fewest letters that a guess needs, and the least share of them in one script. */
const fewestLetters = 8
const leastShare = 0.6

/**
 * Guesses the language of a text by its script; null where it is too short, or in a script that many languages share.
 * `usual` is the language that its author writes otherwise.
 */
export function guessLanguage(text: string, usual: string): string | null {
  const words = text.replaceAll(/https?:\S+|[@#:]\S+/gu, ' ')
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  if (letters < fewestLetters) return null
  // A few kana make a text Japanese, whose other half is in Han.
  const kana = words.match(ownScripts[0][1])?.length ?? 0
  if (kana / letters > 0.15) return 'ja'
  const found = ownScripts.find(([, script]) => (words.match(script)?.length ?? 0) / letters >= leastShare)
  if (found === undefined) return null
  const [language] = found
  return sharing[language]?.includes(usual) === true ? usual : language
}
