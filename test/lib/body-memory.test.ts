import { expect, it } from 'vitest'
import { Overloaded } from '../../src/errors'
import { BodyMemory } from '../../src/lib/body'

const start = new Date('2026-11-01T12:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000)

function room() {
  const made = new BodyMemory({ totalBytes: 100, networkBytes: 40 })
  const hold = (body: symbol, network: string, bytes: number, now = start) =>
    made.reserve(body, { network, bytes, now })
  return { hold, leave: (body: symbol) => made.release(body) }
}

it('reserves what fits, and more once others finished', () => {
  const { hold, leave } = room()
  const bodies = ['a', 'b', 'c'].map((name) => Symbol(name))
  const [a, b, c] = [bodies[0] ?? Symbol(), bodies[1] ?? Symbol(), bodies[2] ?? Symbol()]
  hold(a, 'one', 40)
  hold(b, 'two', 40)
  expect(() => hold(c, 'three', 21)).toThrow(Overloaded)
  hold(c, 'three', 20)
  expect(() => hold(c, 'three', 30)).toThrow(Overloaded)
  leave(a)
  hold(c, 'three', 30)
})

it('gives one network its share and no more', () => {
  const { hold } = room()
  hold(Symbol(), 'one', 30)
  expect(() => hold(Symbol(), 'one', 11)).toThrow(Overloaded)
  hold(Symbol(), 'one', 10)
  hold(Symbol(), 'two', 40)
})

it('accepts a shrinking body even when it is full', () => {
  const { hold } = room()
  const body = Symbol()
  hold(body, 'one', 40)
  hold(body, 'one', 30)
  hold(Symbol(), 'one', 10)
})

it('releases interrupted bodies after a minute, and not arriving ones', () => {
  const { hold } = room()
  const alive = Symbol()
  hold(alive, 'one', 20)
  hold(Symbol(), 'one', 20)
  hold(alive, 'one', 20, later(50))
  expect(() => hold(Symbol(), 'one', 1, later(59))).toThrow(Overloaded)
  expect(() => hold(Symbol(), 'one', 21, later(61))).toThrow(Overloaded)
  hold(Symbol(), 'one', 20, later(61))
})
