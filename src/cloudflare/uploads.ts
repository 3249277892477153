import { Unavailable } from '../errors'
import type { Uploads } from '../ports/services'
import type { Usage } from '../ports/usage'

export function uploadsOf({ UPLOADS }: Env, { add }: Pick<Usage, 'add'>): Uploads {
  return {
    async answer(accountId, request) {
      add('objectCalls', 1)
      try {
        const response = await UPLOADS.get(UPLOADS.idFromName(String(accountId))).fetch(request)
        // Headers of a response that was fetched cannot be changed.
        return new Response(response.body, response)
      } catch (cause) {
        throw new Unavailable('upload_interrupted', {}, cause)
      }
    },
  }
}
