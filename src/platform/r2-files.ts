import type { Files } from './ports'

export function filesIn(bucket: R2Bucket): Files {
  const facts = (object: R2Object) => ({
    sizeBytes: object.size,
    mime: object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
  })
  return {
    put: async (key, body, mime) =>
      void (await bucket.put(key, body, {
        // Kept with the file for buckets that are served without this Worker. A key never gets other bytes.
        httpMetadata: { contentType: mime, cacheControl: 'public, max-age=31536000, immutable' },
      })),
    get: async (key, range) => {
      const object = await bucket.get(key, range === undefined ? {} : { range })
      return object === null ? null : { ...facts(object), body: object.body }
    },
    head: async (key) => {
      const object = await bucket.head(key)
      return object === null ? null : facts(object)
    },
    delete: (keys) => bucket.delete([...keys]),
  }
}
