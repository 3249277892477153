import { describe, expect, it } from 'vitest'
import { markOf } from '../../src/islands/lib/acts'
import { ageIn } from '../../src/islands/lib/ages'
import { isInFullView, isOutOfSight } from '../../src/islands/lib/feed'
import { LiveSocket, readEvent, streamsIn, waitAfter } from '../../src/islands/lib/live-socket'
import { reasonOf } from '../../src/islands/lib/reader'

describe('the connection of a page to its streams', () => {
  it('reads events, and nothing from anything else', () => {
    const event = { stream: ['user'], event: 'delete', payload: '12' }
    expect(readEvent(JSON.stringify(event))).toEqual(event)
    expect(readEvent('{"error":"Unknown stream","status":400}')).toBeNull()
    expect(readEvent('null')).toBeNull()
  })

  it('reads the streams that a page names with their parameters', () => {
    const streams = [{ stream: 'user' }, { stream: 'list', list: '7' }]
    expect(streamsIn(JSON.stringify(streams))).toEqual(streams)
    expect([streamsIn(undefined), streamsIn('{"stream":"user"}'), streamsIn('[null]')]).toEqual([
      [],
      [],
      [{}],
    ])
  })

  it('waits longer after each failure, at most a minute, and not all readers as long', () => {
    expect(waitAfter(0, 1)).toBe(1_000)
    expect(waitAfter(3, 1)).toBe(8_000)
    expect(waitAfter(3, 0)).toBe(4_000)
    expect(waitAfter(1_000, 1)).toBe(60_000)
  })
})

class TestSocket extends EventTarget {
  readonly sent: string[] = []

  send(text: string): void {
    this.sent.push(text)
  }
}

/** Opens the connection of a page that was asked for `age` milliseconds ago. Returns what it subscribed to and asked for. */
function connect(age: number) {
  const socket = new TestSocket()
  let asked = 0
  new LiveSocket({
    open: () => socket,
    streams: [{ stream: 'public' }],
    onEvent: () => undefined,
    onReturn: () => {
      asked += 1
    },
    age: () => age,
  })
  socket.dispatchEvent(new Event('open'))
  return { sent: socket.sent, asked }
}

describe('the connection of a page that opens', () => {
  const sent = ['{"type":"subscribe","stream":"public"}']

  it('the connection of a page asks for no posts where it opens at once', () => {
    expect(connect(400)).toEqual({ sent, asked: 0 })
  })

  it('the connection of a page that opens late asks for the posts that came before it', () => {
    expect(connect(2_500)).toEqual({ sent, asked: 1 })
  })
})

describe('an article in a window', () => {
  it('an article in a window is out of sight above, behind the head, and below', () => {
    expect(isOutOfSight({ top: -200, bottom: 40 }, 600)).toBe(true)
    expect(isOutOfSight({ top: 600, bottom: 800 }, 600)).toBe(true)
    expect(isOutOfSight({ top: -200, bottom: 90 }, 600)).toBe(false)
  })

  it('an article in a window is read when all of it was in view, or the end of one taller than the window', () => {
    expect(isInFullView({ top: 60, bottom: 400 }, 600)).toBe(true)
    expect(isInFullView({ top: 60, bottom: 700 }, 600)).toBe(false)
    expect(isInFullView({ top: -30, bottom: 300 }, 600)).toBe(false)
    expect(isInFullView({ top: -500, bottom: 500 }, 600)).toBe(true)
  })
})

describe('words of pages with scripts', () => {
  it('words of pages with scripts give an age as the server does', () => {
    expect(ageIn('en', 0)).toBe('1 sec')
    expect(ageIn('en', 725)).toBe('12 min')
    expect(ageIn('en', 7_300)).toBe('2 hr')
    expect(ageIn('en', 90_000)).toBeNull()
  })

  it('words of pages with scripts name the reason of a refusal', () => {
    expect([401, 403, 404, 410, 413, 429, 422, 500].map(reasonOf)).toEqual([
      'signedOut',
      'forbidden',
      'gone',
      'gone',
      'tooLarge',
      'tooMany',
      'failed',
      'failed',
    ])
  })

  it('words of pages with scripts find the mark of a button by the act it sends', () => {
    expect(['favourite', 'unboost', 'delete', 'constructor', ''].map(markOf)).toEqual([
      'favourite',
      'boost',
      null,
      null,
      null,
    ])
  })
})
