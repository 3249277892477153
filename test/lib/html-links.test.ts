import { describe, expect, it } from 'vitest'
import { quoteReference } from '../../src/contract/text/render'
import { findLinks } from '../../src/lib/html-walk'

describe('findLinks', () => {
  it('finds web links once and leaves out mentions, hashtags and other schemes', () => {
    const html =
      '<a href="https://a.test/x">1</a><a href="https://a.test/@b" class="u-url mention">2</a>' +
      '<a href="https://a.test/t" rel="tag">3</a><a href="mailto:a@b.test">4</a><a href="javascript:x">5</a>' +
      '<a href="https://a.test/x">6</a><a href="http://b.test/">7</a>'

    expect(findLinks(html)).toEqual(['https://a.test/x', 'http://b.test/'])
  })

  it('leaves out the link of a quote, and continues after it', () => {
    const nested = '<span class="quote-inline"><br><b>RE: <a href="https://a.test/2">2</a></b></span>'
    const html = `<p>${nested}<a href="https://a.test/3">3</a></p>`

    expect(findLinks(quoteReference('https://a.test/1') + html)).toEqual(['https://a.test/3'])
  })
})
