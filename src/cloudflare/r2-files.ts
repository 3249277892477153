import { isBackupKey } from '../domain/backups/names'
import { type Files, isArchiveKey } from '../ports/files'
import type { Usage } from '../ports/usage'

export function filesIn(bucket: R2Bucket, { add }: Pick<Usage, 'add'>): Files {
  const facts = (object: R2Object) => ({
    sizeBytes: object.size,
    mime: object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
  })
  const store = async (key: string, body: ArrayBuffer | Uint8Array | ReadableStream, mime: string) => {
    add('storageWrites', 1)
    await bucket.put(key, body, {
      // Kept with the file for buckets that are served without this Worker. A key never gets other bytes.
      httpMetadata: {
        contentType: mime,
        cacheControl:
          isBackupKey(key) || isArchiveKey(key) ? 'private, no-store' : 'public, max-age=31536000, immutable',
      },
    })
  }
  return {
    put: store,
    putStream: async (key, body, { mime, sizeBytes }) => {
      // A bucket stores streams of a known length only.
      const { readable, writable } = new FixedLengthStream(sizeBytes)
      const [piped, stored] = await Promise.allSettled([body.pipeTo(writable), store(key, readable, mime)])
      for (const outcome of [piped, stored]) if (outcome.status === 'rejected') throw outcome.reason
    },
    get: async (key, range) => {
      add('storageReads', 1)
      const object = await bucket.get(key, range === undefined ? {} : { range })
      return object === null ? null : { ...facts(object), body: object.body }
    },
    head: async (key) => {
      add('storageReads', 1)
      const object = await bucket.head(key)
      return object === null ? null : facts(object)
    },
    delete: (keys) => bucket.delete([...keys]),
    beginUpload: async (key, mime) => {
      add('storageWrites', 1)
      const httpMetadata = { contentType: mime, cacheControl: 'private, no-store' }
      return (await bucket.createMultipartUpload(key, { httpMetadata })).uploadId
    },
    uploadPart: async (key, uploadId, { number, bytes }) => {
      add('storageWrites', 1)
      return (await bucket.resumeMultipartUpload(key, uploadId).uploadPart(number, bytes)).etag
    },
    completeUpload: async (key, uploadId, tags) => {
      add('storageWrites', 1)
      const parts = tags.map((etag, index) => ({ partNumber: index + 1, etag }))
      await bucket.resumeMultipartUpload(key, uploadId).complete(parts)
    },
    list: async (prefix, after, most) => {
      add('storageWrites', 1)
      const { objects } = await bucket.list({
        prefix,
        limit: most,
        ...(after === '' ? {} : { startAfter: after }),
      })
      return objects.map(({ key, uploaded }) => ({ key, uploadedAt: uploaded }))
    },
    listFacts: async (after, most) => {
      add('storageWrites', 1)
      const { objects, truncated } = await bucket.list({
        limit: most,
        include: ['httpMetadata'],
        ...(after === '' ? {} : { startAfter: after }),
      })
      return { files: objects.map((object) => ({ key: object.key, ...facts(object) })), isLast: !truncated }
    },
    folders: async (prefix) => {
      const names: string[] = []
      let cursor: string | undefined
      do {
        add('storageWrites', 1)
        const page = await bucket.list({
          prefix,
          delimiter: '/',
          ...(cursor === undefined ? {} : { cursor }),
        })
        names.push(...page.delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1)))
        cursor = page.truncated ? page.cursor : undefined
      } while (cursor !== undefined)
      return names
    },
  }
}
