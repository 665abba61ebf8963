/** A setting, and where it is from: an option, a variable, `.env`, a line of the file, or `default`. */
export interface Setting {
  readonly value: string;
  readonly from: string;
  /** Who says so: whoever calls the command, the folder's `.env`, or a file that is committed, which others may have written. */
  readonly source: 'caller' | 'folder' | 'repository';
}
