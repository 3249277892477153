import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  CalendarDate,
  Flag,
  Html,
  Id,
  IdList,
  IdString,
  Instant,
  Int,
  Limit,
  OptionalId,
  OptionalIdList,
  OptionalTextList,
  SocketUrl,
  TextList,
  Timestamp,
  Upload,
  Url,
} from '../../src/contract/scalars'

describe('values that clients send', () => {
  it.each<[sent: unknown, id: number]>([
    ['1', 1],
    [1, 1],
    ['0', 0],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    [9007199254740991, 9007199254740991],
    ['9007199254740992', 0],
    ['109999999999999999999', 0],
    [1e300, 0],
    [-1, 0],
    ['-1', 0],
    ['+1', 0],
    [1.5, 0],
    ['1.0', 0],
    ['1e3', 0],
    ['0x10', 0],
    [' 1', 0],
    ['', 0],
    ['abc', 0],
    ['1abc', 0],
    ['١', 0],
    [Number.NaN, 0],
    [null, 0],
    [true, 0],
    [['1'], 0],
    [{ id: 1 }, 0],
    [undefined, 0],
  ])('reads %j as id %d', (sent, id) => {
    expect(Id.parse(sent)).toBe(id)
  })

  it('reads a missing id as 0 and leaves an optional one out', () => {
    expect(z.object({ id: Id, other: Id.optional() }).parse({})).toEqual({ id: 0 })
  })

  it.each<[sent: unknown, id: number | undefined]>([
    ['5', 5],
    [5, 5],
    ['abc', 0],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as optional id %d', (sent, id) => {
    expect(OptionalId.parse(sent)).toBe(id)
  })

  it.each<[sent: unknown, ids: number[]]>([
    [undefined, []],
    [null, []],
    ['', []],
    [[], []],
    ['3', [3]],
    [3, [3]],
    [
      ['3', 1, '3', '2', 1],
      [3, 1, 2],
    ],
    [['', null, '4'], [4]],
    [
      ['x', '4', 'y'],
      [0, 4],
    ],
  ])('reads %j as ids %j', (sent, ids) => {
    expect(IdList.parse(sent)).toEqual(ids)
    expect(z.object({ ids: IdList }).parse(sent === undefined ? {} : { ids: sent })).toEqual({ ids })
  })

  it.each<[sent: unknown, texts: string[]]>([
    [undefined, []],
    ['', []],
    ['a', ['a']],
    [7, ['7']],
    [
      ['b', 'a', 'b', '', 1],
      ['b', 'a', '1'],
    ],
  ])('reads %j as texts %j', (sent, texts) => {
    expect(TextList.parse(sent)).toEqual(texts)
  })

  it('refuses a list of objects as texts', () => {
    expect(TextList.safeParse([{ a: 1 }]).success).toBe(false)
  })

  it('distinguishes an absent list from an emptied one', () => {
    const Edit = z.object({ ids: OptionalIdList, texts: OptionalTextList })
    expect(Edit.parse({})).toEqual({})
    expect(Edit.parse({ ids: [''], texts: '' })).toEqual({ ids: [], texts: [] })
  })

  it.each<[sent: unknown, flag: boolean | undefined]>([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
    ['on', true],
    ['off', false],
    ['t', true],
    ['f', false],
    ['TRUE', true],
    ['FALSE', false],
    ['yes', true],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as flag %j [T-631]', (sent, flag) => {
    expect(Flag.parse(sent)).toBe(flag)
    expect(Flag.optional().parse(sent)).toBe(flag)
    expect(Flag.default(true).parse(sent)).toBe(flag ?? true)
    expect(Flag.nonoptional().safeParse(sent).success).toBe(flag !== undefined)
  })

  it.each([[[]], [{ a: true }]])('refuses %j as a flag', (sent) => {
    expect(Flag.safeParse(sent).success).toBe(false)
  })

  it.each<[sent: unknown, integer: number | undefined]>([
    [5, 5],
    ['5', 5],
    [' 5 ', 5],
    ['-5', -5],
    ['+5', 5],
    ['3.9', 3],
    [3.9, 3],
    ['-0.5', 0],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as integer %d', (sent, integer) => {
    expect(Int.parse(sent)).toBe(integer)
    expect(Int.default(9).parse(sent)).toBe(integer ?? 9)
  })

  it.each([
    ['abc'],
    ['5abc'],
    ['1e3'],
    ['9007199254740993'],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [true],
    [[5]],
  ])('refuses %j as an integer', (sent) => {
    expect(Int.safeParse(sent).success).toBe(false)
  })

  it.each<[sent: unknown, limit: number]>([
    [undefined, 20],
    [null, 20],
    ['', 20],
    ['5', 5],
    [5, 5],
    ['0', 0],
    ['-5', 5],
    [-5, 5],
    ['40', 40],
    ['41', 40],
    ['-500', 40],
    ['99999999999999999999', 40],
    ['7.9', 7],
    ['10abc', 10],
    ['abc', 0],
    [true, 0],
    [Number.NaN, 0],
  ])('reads limit %j as %d', (sent, limit) => {
    expect(Limit(20, 40).parse(sent)).toBe(limit)
  })

  it.each<[sent: string, instant: string]>([
    ['2026-03-01T12:30:45.678Z', '2026-03-01T12:30:45.678Z'],
    ['2026-03-01T12:30:45Z', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01T12:30:45.123456Z', '2026-03-01T12:30:45.123Z'],
    ['2026-03-01T12:30:45.5Z', '2026-03-01T12:30:45.500Z'],
    ['2026-03-01T12:30:45+02:00', '2026-03-01T10:30:45.000Z'],
    ['2026-03-01T12:30:45-0230', '2026-03-01T15:00:45.000Z'],
    ['2026-03-01T12:30:45+02', '2026-03-01T10:30:45.000Z'],
    ['2026-03-01T12:30', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01 12:30:45 UTC', '2026-03-01T12:30:45.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %j as instant %s', (sent, instant) => {
    expect(Instant.parse(sent)?.toISOString()).toBe(instant)
  })

  it.each([
    ['soon'],
    ['2026-02-30'],
    ['2026-13-01'],
    ['2026-03-01T25:00:00Z'],
    [1767225600],
    ['1767225600'],
    [true],
  ])('refuses %j as an instant', (sent) => {
    expect(Instant.safeParse(sent).success).toBe(false)
  })

  it.each([[undefined], [null], ['']])('does not read %j as an instant', (sent) => {
    expect(Instant.parse(sent)).toBe(undefined)
    expect(Instant.nonoptional().safeParse(sent).success).toBe(false)
  })

  it.each<[sent: unknown, bytes: number[] | undefined]>([
    [new Uint8Array([1, 2]), [1, 2]],
    ['data:image/png;base64,AQL/', [1, 2, 255]],
    ['data:;base64,', []],
    ['data:image/png;base64,A%L', undefined],
    ['data:image/png,plain', undefined],
    ['https://fieldfare.test/a.png', undefined],
    [undefined, undefined],
  ])('reads a file that is sent as bytes or as a data URL: %s', (sent, bytes) => {
    const read = Upload.parse(sent)
    expect(read === undefined ? undefined : [...read]).toEqual(bytes)
  })

  it('describes itself in JSON Schema as documented, absent-able keys not required', () => {
    const Input = z.object({
      id: Id,
      max_id: OptionalId,
      ids: IdList,
      texts: OptionalTextList,
      flag: Flag,
      on: Flag.default(true),
      int: Int,
      year: Int.nonoptional(),
      limit: Limit(20, 40),
      at: Instant,
    })
    const id = { type: 'string', pattern: '^[0-9]+$' }
    const safe = { maximum: Number.MAX_SAFE_INTEGER, minimum: Number.MIN_SAFE_INTEGER }
    expect(z.toJSONSchema(Input, { io: 'input', unrepresentable: 'any' })).toMatchObject({
      properties: {
        id,
        max_id: id,
        ids: { type: 'array', items: id },
        texts: { type: 'array', items: { type: 'string' } },
        flag: { type: 'boolean' },
        on: { type: 'boolean' },
        int: { type: 'integer', ...safe },
        limit: { type: 'integer', minimum: 0, maximum: 40, default: 20 },
        at: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'year'],
    })
  })
})

describe('values that the server writes', () => {
  it.each([
    ['Timestamp', Timestamp, '2026-03-01T12:30:45.678Z', true],
    ['Timestamp', Timestamp, '2026-03-01T12:30:45Z', false],
    ['Timestamp', Timestamp, '2026-03-01T12:30:45.67Z', false],
    ['Timestamp', Timestamp, '2026-03-01T12:30:45.678901Z', false],
    ['Timestamp', Timestamp, '2026-03-01T12:30:45.678+00:00', false],
    ['Timestamp', Timestamp, '2026-03-01', false],
    ['Timestamp', Timestamp, '2026-02-30T12:30:45.678Z', false],
    ['CalendarDate', CalendarDate, '2026-03-01', true],
    ['CalendarDate', CalendarDate, '2026-3-1', false],
    ['CalendarDate', CalendarDate, '2026-03-01T00:00:00.000Z', false],
    ['Url', Url, 'https://fieldfare.test/@alice', true],
    ['Url', Url, 'http://localhost:8787/a?b=c#d', true],
    ['Url', Url, 'https://bücher.example/straße', true],
    ['Url', Url, '/@alice', false],
    ['Url', Url, '', false],
    ['Url', Url, 'javascript:alert(1)', false],
    ['Url', Url, 'wss://fieldfare.test', false],
    ['SocketUrl', SocketUrl, 'wss://fieldfare.test', true],
    ['SocketUrl', SocketUrl, 'https://fieldfare.test', false],
    ['IdString', IdString, '1', true],
    ['IdString', IdString, '', false],
    ['IdString', IdString, '-1', false],
    ['IdString', IdString, 'abc', false],
    ['IdString', IdString, 1, false],
    ['Html', Html, '<p>Hello</p>', true],
    ['Html', Html, null, false],
  ])('%s, case %# [T-632]', (_name, schema, value, accepted) => {
    expect(schema.safeParse(value).success).toBe(accepted)
  })
})
