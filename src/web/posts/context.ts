import { createContext, useContext } from 'hono/jsx'

/** Properties that the posts of a page share. */
export interface PostsContext {
  readonly now: Date
  /** Path that their buttons lead back to. */
  readonly returnTo: string
  /** The server has a translation service. */
  readonly translates: boolean
  /** Account of the member; null for visitors. */
  readonly readerId: number | null
  /** Makes a composer of the page, sent twice, one post; null on pages of visitors. */
  readonly formKey: string | null
}

const Posts = createContext<PostsContext>({
  now: new Date(0),
  returnTo: '/',
  translates: false,
  readerId: null,
  formKey: null,
})

/** Around the posts of a page. */
export const PostsProvider = Posts.Provider

/** Address of a post on its page, which what is done with it leads back to. */
export function usePlaceOf({ entryId }: { readonly entryId: string }): string {
  return `${usePosts().returnTo}#p-${entryId}`
}

export function usePosts(): PostsContext {
  return useContext(Posts)
}
