import { expect, it } from 'vitest'
import { findShortcodes } from '../../../src/contract/text/emoji'

it.each([
  [':blobcat:', ['blobcat']],
  ['a :blob_cat: b :x2: c', ['blob_cat', 'x2']],
  ['(:blobcat:)', ['blobcat']],
  [':a: :ab:', ['ab']],
  [':aa: :bb: :aa:', ['aa', 'bb']],
  ['x:blobcat:', []],
  [':blobcat:x', []],
  ['1:blobcat: :blobcat:1', []],
  ['あ:blobcat:', []],
  ['::blobcat::', []],
  [':aa::bb:', []],
  [':aa:\n:bb:', ['aa', 'bb']],
  ['12:30:45', []],
  [':blob cat: :blob-cat:', []],
  ['none', []],
])('finds in %j the shortcodes %j', (text, shortcodes) => {
  expect(findShortcodes(text)).toEqual(shortcodes)
})
