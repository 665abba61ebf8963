/** A setting, and where it is from: an option, a variable, `.env`, a line of the file, or `default`. */
export interface Setting {
  readonly value: string;
  readonly from: string;
  /** The author: the caller of the command, the folder's `.env`, or a committed file, which others may have written. */
  readonly source: 'caller' | 'folder' | 'repository';
}
