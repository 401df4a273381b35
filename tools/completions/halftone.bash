# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash: completes the command line of halftone. Made by make_completions.
# Not compgen -W, which would run what a word contains.
_halftone_words() {
  local word words
  read -r -d '' -a words <<<"$1"
  for word in "${words[@]}"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done
}

_halftone_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_halftone() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' word
  # --option=value is three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
      adopt | release | add | set | unset | show | check | preview | calibrate | convert | engines | status)
        command=$word
        break ;;
    esac
  done
  COMPREPLY=()
  case $command,$prev in
    adopt,--ppd)
      _halftone_files
      return ;;
    adopt,--models)
      return ;;
    release,--ppd)
      _halftone_files
      return ;;
    add,--language)
      _halftone_words 'pcl zpl epl1 epl2 cpcl'
      return ;;
    add,--model)
      return ;;
    set,halftone-type)
      _halftone_words 'auto fine floyd-steinberg clustered printer-model bi-level screen best'
      return ;;
    set,text-edges)
      _halftone_words 'off crisp soft barcode'
      return ;;
    set,levels)
      _halftone_words '2 4 8 16'
      return ;;
    set,technology)
      _halftone_words 'laser inkjet thermal'
      return ;;
    set,tone-curve)
      _halftone_files
      return ;;
    set,tone-aim)
      _halftone_words 'screen linear'
      return ;;
    set,cluster-size | set,dot-diameter | set,screen-lpi | set,screen-angle | set,black-point | set,contrast | set,brightness | set,gamma | set,toner-save | set,dot-gain)
      return ;;
    check,--print)
      _halftone_words "$(lpstat -e 2>/dev/null)"
      return ;;
    check,--timeout)
      return ;;
    preview,-o | preview,--output)
      _halftone_files
      return ;;
    preview,--types | preview,--type)
      _halftone_words 'auto fine floyd-steinberg clustered printer-model bi-level screen best'
      return ;;
    preview,--queue)
      _halftone_words "$(lpstat -e 2>/dev/null)"
      return ;;
    preview,--text-edges)
      _halftone_words 'off crisp soft barcode'
      return ;;
    preview,--levels)
      _halftone_words '2 4 8 16'
      return ;;
    preview,--tone-curve)
      _halftone_files
      return ;;
    preview,--tone-aim)
      _halftone_words 'screen linear'
      return ;;
    preview,--page | preview,--dpi | preview,--cluster-size | preview,--dot-diameter | preview,--screen-lpi | preview,--screen-angle | preview,--black-point | preview,--contrast | preview,--brightness | preview,--gamma | preview,--toner-save | preview,--dot-gain)
      return ;;
    calibrate,-o | calibrate,--output)
      _halftone_files
      return ;;
    calibrate,--type)
      _halftone_words 'auto fine floyd-steinberg clustered printer-model bi-level screen best'
      return ;;
    calibrate,--queue)
      _halftone_words "$(lpstat -e 2>/dev/null)"
      return ;;
    calibrate,--curve)
      _halftone_files
      return ;;
    calibrate,--picture)
      _halftone_files
      return ;;
    calibrate,--cluster-size | calibrate,--resolution | calibrate,--paper)
      return ;;
    convert,-o | convert,--output)
      _halftone_files
      return ;;
    convert,--format)
      _halftone_words 'tiff png bmp pbm pgm pnm'
      return ;;
    convert,--compression)
      _halftone_words 'none packbits deflate lzw g4'
      return ;;
    convert,--manifest)
      _halftone_files
      return ;;
    convert,--rotate)
      _halftone_words '90 180 270'
      return ;;
    convert,--halftone-type)
      _halftone_words 'auto fine floyd-steinberg clustered printer-model bi-level screen best'
      return ;;
    convert,--text-edges)
      _halftone_words 'off crisp soft barcode'
      return ;;
    convert,--levels)
      _halftone_words '2 4 8 16'
      return ;;
    convert,--tone-curve)
      _halftone_files
      return ;;
    convert,--tone-aim)
      _halftone_words 'screen linear'
      return ;;
    convert,--engine)
      _halftone_words "auto remote cuda $("${COMP_WORDS[0]}" engines 2>/dev/null | cut -d' ' -f1)"
      return ;;
    convert,--socket)
      _halftone_files
      return ;;
    convert,--pages | convert,--page | convert,--shard | convert,--dpi | convert,--size | convert,--cluster-size | convert,--dot-diameter | convert,--screen-lpi | convert,--screen-angle | convert,--black-point | convert,--contrast | convert,--brightness | convert,--gamma | convert,--toner-save | convert,--dot-gain | convert,--threads | convert,--rows-per-band)
      return ;;
    status,--socket)
      _halftone_files
      return ;;
    status,--watch)
      return ;;
  esac
  case $command in
    '')
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --version'
      else
        _halftone_words 'adopt release add set unset show check preview calibrate convert engines status'
      fi ;;
    adopt)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --ppd --all --dry-run --list --models --again'
      else
        _halftone_words "$(lpstat -e 2>/dev/null)"
      fi ;;
    release)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --ppd --all --dry-run'
      else
        _halftone_words "$(lpstat -e 2>/dev/null)"
      fi ;;
    add)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --language --model --dry-run'
      fi ;;
    set)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help'
      else
        _halftone_words "$(lpstat -e 2>/dev/null)"
        _halftone_words 'halftone-type=auto halftone-type=fine halftone-type=floyd-steinberg halftone-type=clustered halftone-type=printer-model halftone-type=bi-level halftone-type=screen halftone-type=best cluster-size= dot-diameter= screen-lpi= screen-angle= text-edges=off text-edges=crisp text-edges=soft text-edges=barcode levels=2 levels=4 levels=8 levels=16 technology=laser technology=inkjet technology=thermal tone-curve= black-point= contrast= brightness= gamma= tone-aim=screen tone-aim=linear toner-save= dot-gain='
        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null
      fi ;;
    unset)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --all'
      else
        _halftone_words "$(lpstat -e 2>/dev/null)"
        _halftone_words 'halftone-type cluster-size dot-diameter screen-lpi screen-angle text-edges levels technology tone-curve black-point contrast brightness gamma tone-aim toner-save dot-gain'
        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null
      fi ;;
    show)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help'
      else
        _halftone_words "$(lpstat -e 2>/dev/null)"
      fi ;;
    check)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --print -v --verbose --timeout'
      fi ;;
    preview)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help -o --output --page --types --type --queue --dpi --loupe --cluster-size --dot-diameter --screen-lpi --screen-angle --text-edges --levels --tone-curve --black-point --contrast --brightness --gamma --tone-aim --toner-save --dot-gain'
      else
        _halftone_files
      fi ;;
    calibrate)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help -o --output --type --cluster-size --resolution --paper --second --queue --curve --picture --dry-run'
      else
        case " ${COMP_WORDS[*]:2:COMP_CWORD - 2} " in
          *' target '*) _halftone_words "$(lpstat -e 2>/dev/null)" ;;
          *' read '*) _halftone_files ;;
          *' check '*) _halftone_files ;;
          *) _halftone_words 'target read check' ;;
        esac
      fi ;;
    convert)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help -o --output --format --compression --bigtiff --pages --page --any-size --shard --resume --manifest --dpi --size --rotate --halftone-type --cluster-size --dot-diameter --screen-lpi --screen-angle --text-edges --levels --tone-curve --black-point --contrast --brightness --gamma --tone-aim --toner-save --dot-gain --invert --engine --socket --threads --rows-per-band -q --quiet --json'
      else
        _halftone_files
      fi ;;
    engines)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help'
      fi ;;
    status)
      if [[ $cur == -* ]]; then
        _halftone_words '-h --help --json --metrics --http --watch --socket'
      fi ;;
  esac
}

complete -F _halftone halftone
