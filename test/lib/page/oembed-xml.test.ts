import { describe, expect, it } from 'vitest'
import { parseEmbedXml } from '../../../src/lib/page/oembed-xml'
import { bytesOf } from '../../support/media'

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (document: string, type = 'text/xml; charset=utf-8') => parseEmbedXml(utf8(document), type)
const head = '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n'

describe('an oEmbed document in XML', () => {
  it('reads the fields of the JSON form, with entities and CDATA as text', () => {
    const document = `${head}<oembed>
      <version>1.0</version><type>video</type>
      <title> Wren &amp; tit &lt;1&gt; &#x1F426;</title>
      <author_name><![CDATA[Ann & <Bob>]]></author_name>
      <html><![CDATA[<iframe src="https://play.test/1?a=1&b=2"></iframe>]]></html>
      <width>640</width><height>360</height><cache_age>86400</cache_age>
    </oembed>`
    expect(read(document)).toEqual({
      version: '1.0',
      type: 'video',
      title: 'Wren & tit <1> 🐦',
      author_name: 'Ann & <Bob>',
      html: '<iframe src="https://play.test/1?a=1&b=2"></iframe>',
      width: '640',
      height: '360',
    })
  })

  it('reads a repeated field once, without nested elements', () => {
    const document =
      '<oembed><title>A<b>B</b>C</title><title>D</title><x><url>https://x.test</url></x></oembed>'
    expect(read(document)).toEqual({ title: 'AC' })
  })

  it.each([
    [
      'as its server says',
      'Fr\xfchling',
      '<?xml version="1.0"?>',
      'text/xml; charset=iso-8859-1',
      'Frühling',
    ],
    ['as the document says', '\xcf\xf2', '<?xml version="1.0" encoding="windows-1251"?>', 'text/xml', 'Пт'],
    ['by its mark', '\xc3\xbc', '\xef\xbb\xbf<?xml version="1.0" encoding="latin1"?>', 'text/xml', 'ü'],
    [
      'where an unknown one is named',
      '\xc3\xbc',
      '<?xml version="1.0" encoding="klingon"?>',
      'text/xml',
      'ü',
    ],
    [
      'where UTF-16 is claimed in ASCII',
      '\xc3\xbc',
      '<?xml version="1.0" encoding="utf-16"?>',
      'text/xml',
      'ü',
    ],
    ['with a broken byte', '\xfcber', '<?xml version="1.0" encoding="utf-8"?>', 'text/xml', '\ufffdber'],
  ])('decodes the document %s', (_, title, start, type, expected) => {
    const bytes = bytesOf(`${start}<oembed><title>${title}</title></oembed>`)
    expect(parseEmbedXml(bytes, type)).toEqual({ title: expected })
  })

  it.each([
    ['with a type declaration', '<!DOCTYPE oembed><oembed><title>A</title></oembed>'],
    [
      'that declares entities of entities',
      `<!DOCTYPE oembed [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}">]><oembed><title>&b;</title></oembed>`,
    ],
    [
      'that names files of this server',
      '<!doctype oembed [<!ENTITY a SYSTEM "file:///etc/passwd">]><oembed><title>&a;</title></oembed>',
    ],
    ['without its end', '<oembed><title>A</title>'],
    ['that is cut off in a field', '<oembed><version>1.0</version><title>A'],
    ['of another root', '<html><oembed><title>A</title></oembed></html>'],
    ['that is none', '{"version":"1.0"}'],
    ['that is empty', ''],
    ['that nests without end', `<oembed>${'<a>'.repeat(80_000)}${'</b>'.repeat(80_000)}</oembed>`],
  ])('ignores the document: %s', (_, document) => {
    expect(read(document)).toBeNull()
  })

  it('keeps undeclared entities as they are, and limits the size of a text', () => {
    const document = `<oembed><title>&b;&nbsp;</title><html>${'x'.repeat(200_000)}</html></oembed>`
    const found = read(document)
    expect(found?.['title']).toBe('&b;&nbsp;')
    expect(found?.['html']).toHaveLength(16_384)
  })
})
