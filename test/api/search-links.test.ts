import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { freshName, given, type TestAccount } from '../support/given'
import { foundStatusIds, searchPath, searchStatuses, updateSearchIndex } from '../support/searching'

const origin = 'https://fieldfare.test'

async function people() {
  return { me: await given.account(), author: await given.account({ indexable: true }) }
}

const freshPage = () => `https://${freshName('pages')}.example/some/page?x=1`

const linkTo = async (by: TestAccount, ...addresses: readonly string[]) =>
  Number((await given.status({ by, text: `Look: ${addresses.join(' ')}` })).id)

describe('search by the address of a page', () => {
  it('finds the posts that link to it, and no others', async () => {
    const { me, author } = await people()
    const page = freshPage()
    const first = await linkTo(author, 'https://first.example', page)
    await linkTo(author, `${page}&y=2`, page.replace('x=1', 'x=10'), page.replace('/page?x=1', ''))
    await linkTo(author, page.replace('https://', 'https://www.'), `${page.replace('?', '/2?')}`)
    await given.status({ by: author, text: page.replace('https://', '') })
    const last = await linkTo(author, page)
    expect(await foundStatusIds(me, page)).toEqual([last, first])
    expect(await foundStatusIds(me, `${page} -first`)).toEqual([last])
    expect(await foundStatusIds(me, `-${page} from:${author.username} ${page}&y=2`)).toHaveLength(1)
    expect(await foundStatusIds(me, page, { resolve: 'true' })).toEqual([last, first])
    const { body } = await as(me).get(searchPath(page))
    expect(body).toMatchObject({ accounts: [], hashtags: [], statuses: [{}, {}] })
  })

  it.each([
    ['a named link', '[here](https://HOST/a)', 'https://HOST/a'],
    ['an upper-case host', 'https://HOST/a', 'HTTPS://UPPER/a'],
    ['another scheme', 'http://HOST/a', 'https://HOST/a'],
    ['a slash at the end', 'https://HOST/a/', 'https://HOST/a'],
    ['no slash at the end', 'https://HOST', 'https://HOST/'],
    ['a fragment', 'https://HOST/a', 'https://HOST/a#b'],
    ['a fragment in the post', 'https://HOST/a?b=c#d', 'https://HOST/a?b=c'],
    ['letters encoded in either case', 'https://HOST/東%e4%ba%ac', 'https://HOST/%E6%9D%B1京'],
    ['brackets encoded', 'https://HOST/a_(b)', 'https://HOST/a_%28b%29'],
    ['the usual port', 'https://HOST:443/a', 'https://HOST/a'],
    ['a domain with an emoji', 'https://HOST.❤.ws/a', 'https://HOST.xn--qei.ws/a'],
    ['steps up', 'https://HOST/b/../a', 'https://HOST/a'],
  ])('recognises a page by %s', async (_what, written, asked) => {
    const { me, author } = await people()
    const host = `${freshName('pages')}.example`
    const at = (text: string) => text.replace('HOST', host).replace('UPPER', host.toUpperCase())
    const { id } = await given.status({ by: author, text: at(written), contentType: 'text/markdown' })
    expect(await foundStatusIds(me, at(asked))).toEqual([Number(id)])
  })

  it('search by the address of a page updates with edits', async () => {
    const { me, author } = await people()
    const [before, after] = [freshPage(), freshPage()]
    const id = await linkTo(author, before)
    await as(author).put(`/api/v1/statuses/${id}`, { status: `Now ${after}` })
    await updateSearchIndex()
    expect(await foundStatusIds(me, before)).toEqual([])
    expect(await foundStatusIds(me, after)).toEqual([id])
  })

  it('finds private posts and those of unsearchable authors only for permitted accounts', async () => {
    const { me, author } = await people()
    const page = freshPage()
    const shy = await given.account({ indexable: false })
    const hidden = await linkTo(shy, page)
    const { id } = await given.status({ by: author, text: page, visibility: 'private' })
    expect(await foundStatusIds(me, page)).toEqual([])
    expect(await foundStatusIds(null, page)).toEqual([])
    expect(await foundStatusIds(author, page)).toEqual([Number(id)])
    expect(await foundStatusIds(shy, page)).toEqual([hidden])
  })

  it('search by the address of a page can be combined with other parts of a query', async () => {
    const { me, author } = await people()
    const page = freshPage()
    const wren = Number((await given.status({ by: author, text: `wren ${page}` })).id)
    const robin = Number((await given.status({ by: me, text: `robin ${page}` })).id)
    expect(await foundStatusIds(me, `wren ${page}`)).toEqual([wren])
    expect(await foundStatusIds(me, `${page} from:me`)).toEqual([robin])
    expect(await foundStatusIds(me, `robin -${page}`)).not.toContain(robin)
    expect(await foundStatusIds(me, page, { account_id: String(author.id) })).toEqual([wren])
  })
})

describe('search by the address of a post', () => {
  it('finds it first, then the posts that link to it, in pages', async () => {
    const { me, author } = await people()
    const { id } = await given.status({ by: author, text: 'wren' })
    const address = `${origin}/@${author.username}/${id}`
    const links: number[] = []
    for (let n = 0; n < 5; n += 1) links.unshift(await linkTo(author, address))
    const all = [Number(id), ...links]
    for (const resolve of ['true', 'false']) {
      expect(await foundStatusIds(me, address, { resolve })).toEqual(all)
      for (const offset of [0, 2, 4, 6])
        expect(await foundStatusIds(me, address, { resolve, limit: '2', offset: String(offset) })).toEqual(
          all.slice(offset, offset + 2),
        )
    }
    expect(await foundStatusIds(me, address, { max_id: String(links[1]) })).toEqual(links.slice(2))
    expect(await foundStatusIds(null, address)).toEqual([Number(id)])
    const { body } = await as(me).get(searchPath(address, { type: 'accounts' }))
    expect(body).toMatchObject({ accounts: [], statuses: [] })
  })

  it('leaves out a hidden post, and counts it in no page', async () => {
    const { me, author } = await people()
    const { id } = await given.status({ by: author, text: 'wren', visibility: 'private' })
    const address = `${origin}/@${author.username}/${id}`
    const links = [await linkTo(author, address), await linkTo(author, address)].reverse()
    expect(await foundStatusIds(me, address)).toEqual(links)
    expect(await foundStatusIds(me, address, { limit: '1' })).toEqual(links.slice(0, 1))
    expect(await foundStatusIds(me, address, { limit: '1', offset: '1' })).toEqual(links.slice(1))
  })

  it('fetches an unknown post, and finds links to it as well', async () => {
    const { me, author } = await people()
    const peer = await fediverse.actor()
    const note = peer.note()
    const link = await linkTo(author, note.id)
    const { body } = await searchStatuses(me, note.id, { resolve: 'true' })
    expect(body).toMatchObject({ statuses: [{ uri: note.id }, { id: String(link) }] })
  })
})

describe('hostile addresses', () => {
  it('survives searches for hostile addresses', async () => {
    const { me } = await people()
    for (const q of [
      `https://a.example/${'x'.repeat(10_000)}`,
      'https://a.example/"before:x"',
      'https://user:secret@a.example/',
      `https://a.example/${'%e0%a4%a'.repeat(200)}`,
      'https://a.example/%',
      'https://a.example/" OR traits : "pub',
      `https://a.example/${'/'.repeat(1_900)}`,
      `https://${'a.'.repeat(120)}example/`,
      'https://a.example:99999/',
      'https://[::1]/x',
    ]) {
      const answer = await searchStatuses(me, q)
      expect([q, answer.status, answer.body]).toEqual([q, 200, expect.objectContaining({ statuses: [] })])
    }
  })
})
