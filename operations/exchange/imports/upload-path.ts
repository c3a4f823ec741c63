/** The path of an import's upload. */
export const uploadPath = (id: string): string => `/imports/${id}/file`
