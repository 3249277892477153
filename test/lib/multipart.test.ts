import { describe, expect, it } from 'vitest'
import { parseMultipart } from '../../src/lib/params'
import { bytesOf, mediaFile } from '../support/media'

const type = 'multipart/form-data; boundary=XX'
const parse = (body: string, contentType = type) => parseMultipart(bytesOf(body), contentType, 10)
const part = (headers: string, content: string) => `--XX\r\n${headers}\r\n\r\n${content}\r\n`

describe('parseMultipart', () => {
  it('reads what the platform writes, byte for byte', async () => {
    const form = new FormData()
    form.append('description', 'ünï\r\ncode 💥')
    form.append('odd "name"', 'x')
    form.append('file', new File([mediaFile('rgb.png')], 'a; name="b".png', { type: 'image/png' }))
    form.append('list[]', '')
    form.append('list[]', '2')
    const written = new Response(form)
    const body = new Uint8Array(await written.clone().arrayBuffer())
    expect(parseMultipart(body, written.headers.get('content-type') ?? '', 10)).toEqual([
      ['description', 'ünï\r\ncode 💥'],
      ['odd "name"', 'x'],
      ['file', mediaFile('rgb.png')],
      ['list[]', ''],
      ['list[]', '2'],
    ])
  })

  it('ignores bytes before the first and after the last delimiter', () => {
    const body = `preamble\r\n${part('Content-Disposition: form-data; name="a"', '1')}--XX--\r\nepilogue`
    expect(parse(body)).toEqual([['a', '1']])
  })

  it('reads headers as clients write them', () => {
    const body = [
      part('content-type: text/plain\r\ncontent-disposition: form-data; name=a', '1'),
      part('Content-Disposition:form-data;name="b"; filename*=UTF-8\'\'x.png', '2'),
      part('Content-Disposition: form-data; filename="x"; name="c"; name="d"', ''),
      '--XX--',
    ].join('')
    expect(parse(body, 'multipart/form-data; charset=utf-8; boundary="XX"')).toEqual([
      ['a', '1'],
      ['b', bytesOf('2')],
      ['c', bytesOf('')],
    ])
  })

  it('leaves out an untouched file field, and keeps an empty file that has a name', () => {
    const untouched = part('Content-Disposition: form-data; name="avatar"; filename=""', '')
    const empty = part('Content-Disposition: form-data; name="header"; filename="x.png"', '')
    expect(parse(`${untouched}${empty}--XX--`)).toEqual([['header', new Uint8Array(0)]])
  })

  it('keeps content that looks almost like a delimiter', () => {
    const content = 'x--XX\n\r\n--X\r\n-XX--\r\n'
    const body = `${part('Content-Disposition: form-data; name="a"; filename="b"', content)}--XX--`
    expect(parse(body)).toEqual([['a', bytesOf(content)]])
  })

  it('reads a form without parts', () => expect(parse('--XX--')).toEqual([]))

  const broken: Readonly<Record<string, readonly [string, string?]>> = {
    nothing: [''],
    'no delimiter': ['text'],
    'a delimiter in the middle of a line': ['x--XX--'],
    'no end': [part('Content-Disposition: form-data; name="a"', '1')],
    'a part without headers': ['--XX\r\n1\r\n--XX--'],
    'a part without a name': [`${part('Content-Disposition: form-data', '1')}--XX--`],
    'a part that is no form data': [`${part('Content-Disposition: attachment; name="a"', '1')}--XX--`],
    'headers without end': [`--XX\r\n${'x'.repeat(9000)}\r\n\r\n1\r\n--XX--`],
    'no boundary': ['--XX--', 'multipart/form-data'],
    'too many parts': [`${part('Content-Disposition: form-data; name="a"', '1').repeat(11)}--XX--`],
  }
  for (const [what, [body, contentType]] of Object.entries(broken))
    it(`parseMultipart refuses ${what}`, () => expect(parse(body, contentType)).toBeNull())
})
