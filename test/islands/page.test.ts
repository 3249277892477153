import { expect, it } from 'vitest'
import { wordsIn } from '../../src/islands/lib/page'

it('words of the server are read by their names', () => {
  const words = wordsIn({ words: '{"zoom":"Größe","area":"Teil"}' }, ['zoom'])
  expect(words('zoom')).toBe('Größe')
})

it.each([[{}], [{ words: '{}' }], [{ words: 'null' }], [{ words: '{"zoom":1}' }]])(
  'words that the page lacks are a defect: %j',
  (data) => {
    expect(() => wordsIn(data, ['zoom'])).toThrow('The page gives no words for zoom')
  },
)
