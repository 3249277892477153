/// <reference types="vite/types/importMeta.d.ts" />

import type { Images } from '../../src/ports/services'

const files = import.meta.glob<string>('../data/media/*', {
  query: '?inline',
  import: 'default',
  eager: true,
})

/** The bytes of a file in test/data/media. */
export function mediaFile(name: string): Uint8Array {
  const url = files[`../data/media/${name}`]
  if (url === undefined) throw new Error(`no media file ${name}`)
  return Uint8Array.fromBase64(url.slice(url.indexOf(',') + 1))
}

export function mediaFileNames(): string[] {
  return Object.keys(files).map((path) => path.slice(path.lastIndexOf('/') + 1))
}

/** The image service, which tests have. */
export function imagesIn(images: Images | null): Images {
  if (images === null) throw new Error('There is no image service')
  return images
}

/** Latin-1 text as bytes, for files made up in a test. `Uint8Array.from` takes a hundred times as long. */
export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}
