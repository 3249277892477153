// Writes public/emojis: the emojis of Unicode with their names and keywords in each language of the pages, for the search of
// the composer. Run by hand for a new version of Unicode, over unpacked packages of npm:
//   node scripts/emojis.mjs <unicode-emoji-json> <cldr-annotations-full>
import { readFileSync, writeFileSync } from 'node:fs'

const [unicode, cldr] = process.argv.slice(2)
if (unicode === undefined || cldr === undefined)
  throw new Error('usage: emojis.mjs UNICODE_EMOJI_JSON CLDR_ANNOTATIONS')

const mostWords = 8
const groups = JSON.parse(readFileSync(`${unicode}/data-by-group.json`, 'utf8'))

/** The region of a flag of two regional indicators, as `SE`; null for any other emoji. */
function regionOf(emoji) {
  const letters = [...emoji].map((one) => one.codePointAt(0) - 0x1f1e6)
  if (letters.length !== 2 || letters.some((one) => one < 0 || one > 25)) return null
  return String.fromCharCode(...letters.map((one) => one + 65))
}

for (const language of ['en', 'de', 'fr', 'es', 'ja', 'ar']) {
  const path = `${cldr}/annotations/${language}/annotations.json`
  const { annotations } = JSON.parse(readFileSync(path, 'utf8')).annotations
  const regions = new Intl.DisplayNames(language, { type: 'region' })
  const lines = groups.flatMap(({ emojis }) =>
    emojis.flatMap(({ emoji }) => {
      const region = regionOf(emoji)
      const found = annotations[emoji] ?? annotations[emoji.replaceAll('\u{FE0F}', '')]
      const words =
        region === null ? [...(found?.tts ?? []), ...(found?.default ?? [])] : [regions.of(region)]
      return words.length === 0 ? [] : [[emoji, [...new Set(words)].slice(0, mostWords).join('|')].join(' ')]
    }),
  )
  writeFileSync(
    `public/emojis/${language}.json`,
    `${JSON.stringify(lines, null, 0).replaceAll('","', '",\n"')}\n`,
  )
}
