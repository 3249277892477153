import { describe, expect, it } from 'vitest'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { freshHost, page, picture, posted } from '../../support/given-page'

const { network } = fediverse

describe('a post with a link', () => {
  it('shows what the page says of itself, later', async () => {
    const alice = await given.account()
    const host = freshHost()
    const url = page(
      `https://${host}/wren`,
      `<title>Not this</title><link rel="canonical" href="/wren?full">
       <meta property="og:title" content="The wren &amp; its song">
       <meta property="og:description" content=" A small\n bird. ">
       <meta property="og:site_name" content="Birds">
       <meta property="og:image" content="/wren.png"><meta property="og:image:alt" content="A wren">
       <meta property="article:published_time" content="2026-01-02T03:04:05+01:00">
       <meta name="author" content="Ann">`,
    )
    picture(`https://${host}/wren.png`)
    const { card, asked, outcomes } = await posted(alice, `Look: ${url}`)
    expect(asked).toMatchObject([{ kind: 'link.seen' }])
    expect(outcomes).toEqual(['done'])
    expect(card).toMatchObject({
      ...{ url, title: 'The wren & its song', description: 'A small bird.', type: 'link' },
      ...{ provider_name: 'Birds', author_name: 'Ann', width: 1, height: 1, image_description: 'A wren' },
      ...{ language: 'en', published_at: '2026-01-02T02:04:05.000Z', html: '', embed_url: '' },
      authors: [{ name: 'Ann', url: '', account: null }],
      image: expect.stringMatching(/^https:\/\/fieldfare\.test\/media\/proxy\//),
      blurhash: expect.any(String),
      missing_attribution: false,
    })
    expect(network.requests(`https://${host}/`).map((one) => one.url)).toEqual([
      url,
      `https://${host}/wren.png`,
    ])
  })
})
