/** The secret that the page shows while an app is being set up. */
export function secretIn(html: string): Uint8Array {
  const text = (/<code class="secret">([^<]*)</.exec(html)?.[1] ?? '').replaceAll(' ', '')
  if (text === '') throw new Error('The page shows no secret')
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
