import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Evidence } from '../../../src/contract/entities/admin/evidence'
import { Strike } from '../../../src/contract/entities/report'
import { pruneUnattachedMedia } from '../../../src/domain/media/expire'
import { evidenceKey, withheldKey } from '../../../src/domain/media/pictures'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneEvidenceFiles } from '../../../src/domain/reports/evidence-files'
import { resolveReport } from '../../../src/domain/reports/update'
import { Unreachable } from '../../../src/errors'
import type { Http } from '../../../src/ports/federation'
import { copyKey } from '../../../src/ports/files'
import { as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { freshName, given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { pathOf, uploaded } from '../../support/given-media'
import { importedStatus } from '../../support/given-remote'
import { givenStaff } from '../../support/given-staff'
import { mediaFile } from '../../support/media'
import { moderate } from '../../support/moderate'
import { clock, context, fetchApp, settleLateWork } from '../../support/test-app'

const day = 86_400_000

let moderator: TestAccount
let author: TestAccount
let queue: ReturnType<typeof fakeQueue>
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers', 'manageReports', 'manageAppeals'] })
})
beforeEach(async () => {
  author = await given.account()
  queue = fakeQueue()
})

const overrides = () => ({ jobs: queue.ctx.jobs })

/** A post with a picture, and a report of it. */
async function reportedPicture() {
  const media = await uploaded(author, 'gray.png')
  const posted = await as(author).post('/api/v1/statuses', { status: 'Seeds', media_ids: [media.id] })
  const { id } = z.object({ id: z.string() }).parse(posted.body)
  const body = { account_id: author.id, status_ids: [id] }
  const report = await as(await given.account()).post('/api/v1/reports', body)
  const { id: reportId } = z.object({ id: z.string() }).parse(report.body)
  return { statusId: id, reportId, paths: [media.url, media.preview_url].map(pathOf) }
}

async function evidenceOf(reportId: string) {
  const answer = await as(moderator).get(`/api/fieldfare/v1/admin/reports/${reportId}/evidence`)
  const [evidence] = Evidence.array().parse(answer.body)
  return { evidence, url: evidence?.media_attachments[0]?.url ?? null }
}

async function fetchFile(path: string, reader: TestAccount | null = null) {
  const headers: Record<string, string> = reader === null ? {} : { authorization: `Bearer ${reader.token}` }
  const { response } = await fetchApp(new Request(`https://fieldfare.test${path}`, { headers }))
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() }
}

async function publicStates(paths: readonly string[]) {
  return Promise.all(paths.map(async (path) => (await fetchFile(path)).status))
}

const deletions = {
  'with its media': async (id: string) => {
    await as(author).delete(`/api/v1/statuses/${id}?delete_media=true`, undefined, { overrides: overrides() })
  },
  'for a redraft that never came': async (id: string) => {
    await as(author).delete(`/api/v1/statuses/${id}`)
    clock.advance(2 * day)
    await pruneUnattachedMedia(queue.ctx)
  },
  'with the account': async () => {
    await moderate(author, 'suspend', { ctx: queue.ctx })
    await queue.work()
    await as(await givenStaff({ permissions: ['deleteUserData'] })).delete(
      `/api/v1/admin/accounts/${author.id}`,
      undefined,
      { overrides: overrides() },
    )
  },
}

describe('evidence files', () => {
  it.each(Object.entries(deletions))(
    'shows files to moderators after the status is deleted %s, and to nobody else',
    async (_, remove) => {
      const { statusId, reportId, paths } = await reportedPicture()
      const original = (await fetchFile(paths[0] ?? '')).bytes
      expect(original.byteLength).toBeGreaterThan(0)
      await remove(statusId)
      await queue.work()
      expect(await publicStates(paths)).toEqual([404, 404])
      const { evidence, url } = await evidenceOf(reportId)
      expect(evidence).toMatchObject({ deleted: true })
      const shown = await fetchFile(pathOf(url), moderator)
      expect([shown.status, shown.bytes]).toEqual([200, original])
      expect(shown.headers.get('cache-control')).toBe('private, no-store')
      expect(shown.headers.get('content-type')).toBe('image/png')
      const small = await fetchFile(`${pathOf(url)}?small=true`, moderator)
      expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
      const [other, judge] = [await given.account(), await givenStaff({ permissions: ['manageUsers'] })]
      for (const reader of [null, other, judge])
        expect((await fetchFile(pathOf(url), reader)).status).toBe(403)
    },
  )

  it('stores files where no public address leads', async () => {
    const { statusId, reportId, paths } = await reportedPicture()
    await deletions['with its media'](statusId)
    await queue.work()
    const keys = paths.map((path) => path.replace('/media/', ''))
    for (const key of keys) {
      expect(await context().files.head(evidenceKey(key))).not.toBeNull()
      expect(await context().files.head(key)).toBeNull()
    }
    const attempts = keys.flatMap((key) => [
      evidenceKey(key),
      encodeURIComponent(evidenceKey(key)),
      `%2eevidence/${key}`,
    ])
    expect(await publicStates(attempts.map((key) => `/media/${key}`))).toEqual(attempts.map(() => 404))
    const { url } = await evidenceOf(reportId)
    for (const path of [pathOf(url).replace(/\d+$/, '7'), pathOf(url).replace(/evidence\/\d+/, 'evidence/7')])
      expect((await fetchFile(path, moderator)).status).toBe(404)
  })

  it('shows files of a suspended account to moderators as well', async () => {
    const { reportId, paths } = await reportedPicture()
    await moderate(author, 'suspend', { ctx: queue.ctx })
    await queue.work()
    expect(await publicStates(paths)).toEqual([404, 404])
    expect(await context().files.head(withheldKey((paths[0] ?? '').replace('/media/', '')))).not.toBeNull()
    const { url } = await evidenceOf(reportId)
    expect((await fetchFile(pathOf(url), moderator)).status).toBe(200)
  })

  it('shows files of a strike to moderators, and only the text to its target after deletion', async () => {
    const { statusId } = await reportedPicture()
    const body = { type: 'delete', status_ids: [statusId] }
    const path = `/api/fieldfare/v1/admin/accounts/${author.id}/statuses/action`
    const answer = await as(moderator).post(path, body, { overrides: overrides() })
    await queue.work()
    const { id } = z.object({ id: z.string() }).parse(answer.body)
    const listed = await as(moderator).get(`/api/fieldfare/v1/admin/strikes/${id}/evidence`)
    const [evidence] = Evidence.array().parse(listed.body)
    const url = evidence?.media_attachments[0]?.url ?? null
    expect((await fetchFile(pathOf(url), moderator)).status).toBe(200)
    const own = Strike.array().parse((await as(author).get('/api/fieldfare/v1/strikes')).body)
    expect(own[0]?.evidence).toMatchObject([{ content: '<p>Seeds</p>', media_attachments: [{ url: null }] }])
    expect((await as(moderator).get('/api/fieldfare/v1/admin/strikes/7/evidence')).status).toBe(404)
  })

  it('keeps files while a report is open and 30 days after it was resolved, and keeps the text', async () => {
    const { statusId, reportId, paths } = await reportedPicture()
    await deletions['with its media'](statusId)
    await queue.work()
    const key = evidenceKey((paths[0] ?? '').replace('/media/', ''))
    const isKept = async () => (await context().files.head(key)) !== null
    clock.advance(40 * day)
    await prune()
    expect(await isKept()).toBe(true)
    await resolveReport(context(), operator, Number(reportId))
    clock.advance(20 * day)
    await prune()
    expect(await isKept()).toBe(true)
    clock.advance(40 * day)
    await prune()
    expect(await isKept()).toBe(false)
    const { evidence, url } = await evidenceOf(reportId)
    expect([evidence?.content, url]).toEqual(['<p>Seeds</p>', null])
  })

  it('keeps files while other evidence shows them', async () => {
    const { statusId, reportId, paths } = await reportedPicture()
    await moderate(author, 'none', { reportId: Number(reportId) })
    await deletions['with its media'](statusId)
    await queue.work()
    const key = evidenceKey((paths[0] ?? '').replace('/media/', ''))
    const { body } = await as(author).get('/api/fieldfare/v1/strikes')
    const strikeId = Strike.array().parse(body)[0]?.id
    clock.advance(19 * day)
    await as(author).post(`/api/fieldfare/v1/strikes/${strikeId}/appeal`, { text: 'Art' })
    clock.advance(12 * day)
    await prune()
    expect((await evidenceOf(reportId)).url).toBeNull()
    expect(await context().files.head(key)).not.toBeNull()
  })

  it('deletes files without evidence as usual', async () => {
    const media = await uploaded(author, 'gray.png')
    const posted = await as(author).post('/api/v1/statuses', { status: 'Seeds', media_ids: [media.id] })
    const { id } = z.object({ id: z.string() }).parse(posted.body)
    await deletions['with its media'](id)
    await settleLateWork()
    const key = pathOf(media.url).replace('/media/', '')
    expect([await context().files.head(key), await context().files.head(evidenceKey(key))]).toEqual([
      null,
      null,
    ])
    expect(queue.jobs).toEqual([])
  })
})

const png = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
)

/** A remote server that answers each URL with the bytes given, and else 404; and a queue that reaches it alone. */
function withRemoteFiles(
  files: Readonly<Record<string, Uint8Array>>,
  announced: Readonly<Record<string, number>> = {},
) {
  const asked: string[] = []
  const http: Http = {
    sent: () => asked.length,
    send: async ({ url }) => {
      asked.push(url)
      const { status, headers, body } = new Response(files[url] ?? null, {
        status: files[url] ? 200 : 404,
        headers: { 'content-length': String(announced[url] ?? files[url]?.byteLength ?? 0) },
      })
      return { status, headers, body, url }
    },
  }
  queue = fakeQueue({ http })
  return asked
}

const attached = (
  url: string,
  type: 'image' | 'video' | 'audio' = 'image',
  previewUrl: string | null = null,
) => ({
  type,
  url,
  previewUrl,
  description: null,
  blurhash: null,
  meta: {},
})

async function reportedRemote(files: readonly (string | ReturnType<typeof attached>)[], by?: TestAccount) {
  const remote = await given.remoteAccount({ domain: `${freshName('remote')}.test` })
  const attachments = files.map((file) => (typeof file === 'string' ? attached(file) : file))
  const { id } = await importedStatus(remote, { attachments })
  const body = { account_id: remote.id, status_ids: [String(id)] }
  const reporter = by ?? (await given.account())
  const answer = await as(reporter).post('/api/v1/reports', body, { overrides: overrides() })
  const reportId = z.object({ id: z.string() }).parse(answer.body).id
  return { remote, statusId: id, reportId }
}

describe('pictures of remote statuses in evidence', () => {
  const [seeds, page] = ['https://elsewhere.test/seeds.png', 'https://elsewhere.test/page.html']

  it('copies pictures of reported remote statuses, which outlive the status', async () => {
    const asked = withRemoteFiles({ [seeds]: png, [page]: new TextEncoder().encode('<script>') })
    const { remote, statusId, reportId } = await reportedRemote([seeds, page])
    expect(await queue.work()).toEqual(['done'])
    expect(asked).toEqual([seeds, page])
    const body = { type: 'delete', report_id: reportId }
    const path = `/api/fieldfare/v1/admin/accounts/${remote.id}/statuses/action`
    const answer = await as(moderator).post(path, body, { overrides: overrides() })
    await queue.work()
    // The strike shares the copy; what is no picture is tried again.
    expect(asked).toEqual([seeds, page, page])
    const { evidence, url } = await evidenceOf(reportId)
    expect(evidence).toMatchObject({ status_id: String(statusId), deleted: true })
    const shown = await fetchFile(pathOf(url), moderator)
    expect([shown.status, new Uint8Array(shown.bytes)]).toEqual([200, png])
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect((await fetchFile(pathOf(url))).status).toBe(403)
    expect(evidence?.media_attachments[1]?.url).toContain('/media/proxy/')
    const { id } = z.object({ id: z.string() }).parse(answer.body)
    const ofStrike = await as(moderator).get(`/api/fieldfare/v1/admin/strikes/${id}/evidence`)
    const strikeUrl = Evidence.array().parse(ofStrike.body)[0]?.media_attachments[0]?.url ?? null
    expect((await fetchFile(pathOf(strikeUrl), moderator)).status).toBe(200)
    const mediaId = evidence?.media_attachments[0]?.id
    expect(await publicStates([`/media/remote/${mediaId}`, `/media/.evidence/remote/${mediaId}`])).toEqual([
      404, 404,
    ])
    clock.advance(61 * day)
    await prune()
    expect(await context().files.head(evidenceKey(copyKey(Number(mediaId))))).toBeNull()
  })

  it('retries the fetch once where the server is unreachable', async () => {
    const asked = withRemoteFiles({ [seeds]: png })
    const { http } = queue.ctx
    let failures = 1
    const failing: Http = {
      sent: http.sent,
      send: (request) => (failures-- > 0 ? Promise.reject(new Unreachable('timed out')) : http.send(request)),
    }
    queue = fakeQueue({ http: failing })
    const { reportId } = await reportedRemote([seeds])
    await queue.work()
    expect(asked).toEqual([seeds])
    expect((await evidenceOf(reportId)).url).toContain('/admin/evidence/')
    failures = 100
    await reportedRemote([page])
    expect(await queue.work()).toHaveLength(2)
  })

  it('fetches pictures in parts, at most twenty per report', async () => {
    const urls = Array.from({ length: 30 }, (_, n) => `https://elsewhere.test/${n}.png`)
    const asked = withRemoteFiles(Object.fromEntries(urls.map((url) => [url, png])))
    const { reportId } = await reportedRemote(urls)
    expect(await queue.work()).toHaveLength(5)
    expect(asked).toHaveLength(20)
    const { evidence } = await evidenceOf(reportId)
    const kept = evidence?.media_attachments.filter(({ url }) => url?.includes('/admin/evidence/'))
    expect(kept).toHaveLength(20)
  })

  it('fetches nothing from servers whose media are rejected, nor beyond two hundred a day of one reporter', async () => {
    const asked = withRemoteFiles({ [seeds]: png })
    const reporter = await given.account()
    const spend = async (family: string, subject: string) =>
      family === 'evidencePictures' && subject === String(reporter.id) ? clock.now() : null
    const { http } = queue.ctx
    queue = fakeQueue({ http, throttle: { ...context().throttle, spend } })
    await reportedRemote([seeds], reporter)
    await queue.work()
    expect(asked).toEqual([])
    queue = fakeQueue({ http })
    const { remote } = await reportedRemote([seeds], reporter)
    await domainLimit(remote.domain, 'noop', { rejectMedia: true })
    await queue.work()
    expect(asked).toEqual([])
    await reportedRemote([seeds], reporter)
    await queue.work()
    expect(asked).toEqual([seeds])
  })
})

describe('sound and video of remote statuses in evidence', () => {
  const film = 'https://elsewhere.test/film.mp4'
  const frame = 'https://elsewhere.test/frame.png'
  const song = 'https://elsewhere.test/song.mp3'

  it('copies sound and video with the preview, and shows them to moderators', async () => {
    const [mp4, mp3] = [mediaFile('fragmented.mp4'), mediaFile('constant.mp3')]
    withRemoteFiles({ [film]: mp4, [frame]: png, [song]: mp3 })
    const { reportId } = await reportedRemote([attached(film, 'video', frame), attached(song, 'audio')])
    expect(await queue.work()).toEqual(['done'])
    const { evidence } = await evidenceOf(reportId)
    const files = await Promise.all(
      (evidence?.media_attachments ?? []).flatMap(({ url, preview_url: small }) =>
        [url, small].map(async (address) => {
          if (address === null) return null
          const { status, headers, bytes } = await fetchFile(
            address.replace('https://fieldfare.test', ''),
            moderator,
          )
          return [status, headers.get('content-type'), bytes.byteLength]
        }),
      ),
    )
    expect(files).toEqual([
      [200, 'video/mp4', mp4.byteLength],
      [200, 'image/png', png.byteLength],
      [200, 'audio/mpeg', mp3.byteLength],
      null,
    ])
  })

  it.each([
    ['too large', { [film]: 41_943_041 }, true],
    ['of another length than announced', { [film]: 1_000_000 }, true],
    ['of no known type', {}, false],
  ])('leaves out files that are %s, and keeps the preview', async (_, announced, isVideo) => {
    const bytes = isVideo ? mediaFile('fragmented.mp4') : new TextEncoder().encode('<script>'.repeat(1_000))
    withRemoteFiles({ [film]: bytes, [frame]: png }, announced)
    const { reportId } = await reportedRemote([attached(film, 'video', frame)])
    expect(await queue.work()).toEqual(['done'])
    const { evidence, url } = await evidenceOf(reportId)
    expect(url).toContain('/media/proxy/')
    expect(evidence?.media_attachments[0]?.preview_url).toContain('/admin/evidence/')
    const path = `/api/fieldfare/v1/admin/evidence/${evidence?.id}/media/${evidence?.media_attachments[0]?.id}`
    expect((await fetchFile(path, moderator)).status).toBe(404)
  })

  it('counts copied bytes against the quota of the reporting member', async () => {
    const spent: number[] = []
    const spend = async (family: string, _: string, amount: number) => {
      if (family === 'evidencePictures') spent.push(amount)
      return null
    }
    const size = 2 * 8_388_608 + 1
    const long = new Uint8Array(size)
    long.set(mediaFile('constant.mp3'))
    withRemoteFiles({ [song]: long })
    const { http } = queue.ctx
    queue = fakeQueue({ http, throttle: { ...context().throttle, spend } })
    const { reportId } = await reportedRemote([attached(song, 'audio')])
    await queue.work()
    expect(spent).toEqual([3])
    const shown = await fetchFile(pathOf((await evidenceOf(reportId)).url), moderator)
    expect(shown.bytes.byteLength).toBe(size)
  })
})

async function prune() {
  await pruneEvidenceFiles(context())
  await settleLateWork()
}
