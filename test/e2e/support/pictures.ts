import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Path of a file in test/data/media. */
export function mediaPath(name: string): string {
  return join(import.meta.dirname, '../../data/media', name)
}

/** A file of test/data/media as a browser hands it to a form. */
export async function mediaFile(name: string, type: string): Promise<File> {
  return new File([await readFile(mediaPath(name))], name, { type })
}
