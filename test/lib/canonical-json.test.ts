import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/lib/json'

const most = 10_000
const canonical = (text: string) => canonicalJson(JSON.parse(text), most)

/** Number with these 64 bits. */
function double(bits: string): number {
  return new DataView(Uint8Array.fromHex(bits).buffer).getFloat64(0)
}

describe('the canonical form of JSON (RFC 8785)', () => {
  it('returns the example of section 3.2.2', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    expect(canonical(text)).toBe(expected)
  })

  it('sorts keys as in section 3.2.3, by UTF-16 units', () => {
    const text = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    expect(Object.values(JSON.parse(canonical(text) ?? '{}'))).toEqual([
      // The parser puts integer keys first.
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
    expect(canonical(text)).toMatch(/^\{"\\r":"Carriage Return","1":"One",/)
  })

  it('keeps integer keys, empty ones and names of the language in their place', () => {
    expect(canonical('{"b":1,"10":2,"9":3,"":4,"__proto__":5,"constructor":{"toJSON":null}}')).toBe(
      '{"":4,"10":2,"9":3,"__proto__":5,"b":1,"constructor":{"toJSON":null}}',
    )
  })

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
    ['7fffffffffffffff', null],
    ['7ff0000000000000', null],
  ])('writes the number %s of appendix B as %s', (bits, expected) => {
    expect(canonicalJson(double(bits), most)).toBe(expected)
  })

  it.each([
    ['-0', '0'],
    ['1e21', '1e+21'],
    ['1E400', null],
    ['9007199254740993', '9007199254740992'],
    ['"\\u2028\\u2029\\u007f"', '"\u2028\u2029\u007f"'],
    ['"\\b\\t\\n\\f\\r\\u0000\\u001f"', '"\\b\\t\\n\\f\\r\\u0000\\u001f"'],
    ['"e\\u0301 \\u00e9"', '"e\u0301 \u00e9"'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['"\\ud83d"', null],
    ['"\\ude00\\ud83d"', null],
    ['{"\\udead":1}', null],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    [' [ ] ', '[]'],
    ['{}', '{}'],
  ])('the canonical form of JSON (RFC 8785) canonicalises %s to %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  it('refuses values that are not JSON', () => {
    for (const value of [undefined, 1n, Symbol('x'), () => 1, [undefined], { a: undefined }, Number.NaN])
      expect(canonicalJson(value, most)).toBeNull()
  })

  it('the canonical form of JSON (RFC 8785) limits depth and length', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(canonical(nested(64))).toBe(nested(64))
    for (const levels of [65, 5_000]) expect(canonical(nested(levels))).toBeNull()
    expect(canonicalJson('x'.repeat(8), 10)).toBe('"xxxxxxxx"')
    expect(canonicalJson('x'.repeat(9), 10)).toBeNull()
    expect(canonicalJson(Array<number>(1_000_000).fill(1), 100)).toBeNull()
  })
})
