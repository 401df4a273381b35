#compdef halftone
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# zsh: completes the command line of halftone. Made by make_completions.
_halftone_queues() {
  local -a queues
  queues=(${(f)"$(lpstat -e 2>/dev/null)"})
  compadd -a queues
}

_halftone_engines() {
  local -a engines
  engines=(auto remote cuda ${${(f)"$(halftone engines 2>/dev/null)"}%% *})
  compadd -a engines
}

_halftone() {
  local curcontext=$curcontext context state line
  local -a commands
  commands=(
    'adopt:Gives a queue our dots, by a filter before its driver'
    'release:Undoes adopt, and restores the PPD file'
    'add:Makes a queue for a printer without a driver'
    'set:Sets how a queue prints, in halftoned.conf'
    'unset:Takes settings of a queue out of halftoned.conf'
    'show:Shows how a queue prints, and where each setting comes from'
    'check:Says what is wrong on this machine, and what to type'
    'preview:Shows what prints will look like, types side by side'
    'calibrate:Measures a printer'\''s tones by a sheet and a scan of it'
    'convert:Halftones image files'
    'engines:Lists the engines and what they need'
    'status:Shows what the daemon is doing'
  )
  _arguments -C \
    '-h[Print this help message and exit]' \
    '--help[Print this help message and exit]' \
    '--version[Display program version information and exit]' \
    '1: :->command' \
    '*:: :->arguments'
  case $state in
    command)
      _describe command commands ;;
    arguments)
      case $words[1] in
        adopt)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--ppd=[Change no queue\: read PPD file IN and write OUT]:file:_files' \
            '--all[All queues that can be adopted]' \
            '--dry-run[Change nothing\: say what would be done]' \
            '--list[Show the state of all queues]' \
            '--models=[Show which models of this machine can be adopted, of those whose names contain WORD]:value: ' \
            '--again[All adopted queues that have drifted]' \
            '*:queue:_halftone_queues' ;;
        release)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--ppd=[Change no queue\: read PPD file IN and write OUT]:file:_files' \
            '--all[All queues that are adopted]' \
            '--dry-run[Change nothing\: say what would be done]' \
            '*:queue:_halftone_queues' ;;
        add)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--language=[What a printer speaks that cannot be asked]:value:(pcl zpl epl1 epl2 cpcl)' \
            '--model=[The model of its driver, as lpinfo -m lists it]:value: ' \
            '--dry-run[Change nothing\: say what would be done]' ;;
        set)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '1:queue:_halftone_queues' \
            '*:setting:(halftone-type=auto halftone-type=fine halftone-type=floyd-steinberg halftone-type=clustered halftone-type=printer-model halftone-type=bi-level halftone-type=screen halftone-type=best cluster-size= dot-diameter= screen-lpi= screen-angle= text-edges=off text-edges=crisp text-edges=soft text-edges=barcode levels=2 levels=4 levels=8 levels=16 technology=laser technology=inkjet technology=thermal tone-curve= black-point= contrast= brightness= gamma= tone-aim=screen tone-aim=linear toner-save= dot-gain=)' ;;
        unset)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--all[All settings of the queue]' \
            '1:queue:_halftone_queues' \
            '*:setting:(halftone-type cluster-size dot-diameter screen-lpi screen-angle text-edges levels technology tone-curve black-point contrast brightness gamma tone-aim toner-save dot-gain)' ;;
        show)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '*:queue:_halftone_queues' ;;
        check)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--print=[Print a page to this queue, with its settings in words, and check nothing]:queue:_halftone_queues' \
            '-v[Show what is well, too, and what this user may not see]' \
            '--verbose[Show what is well, too, and what this user may not see]' \
            '--timeout=[Seconds to wait for each answer of CUPS and of the daemon]:value: ' ;;
        preview)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '-o+[Output file, PNG; FILE-preview.png by default]:file:_files' \
            '--output=[Output file, PNG; FILE-preview.png by default]:file:_files' \
            '--page=[The page to show, counted from 1]:value: ' \
            '--types=[Show these types, separated by commas]:value:(auto fine floyd-steinberg clustered printer-model bi-level screen best)' \
            '--type=[Show these types, separated by commas]:value:(auto fine floyd-steinberg clustered printer-model bi-level screen best)' \
            '--queue=[Show what this queue or printer would print, with its settings]:queue:_halftone_queues' \
            '--dpi=[The printer'\''s resolution; by default the queue'\''s, or 600\: dots an inch, such as 600 or 1200x600]:value: ' \
            '--loupe[Show the dots of a part, enlarged\: of the middle, or with --loupe=X,Y around that place\: X,Y in millimetres from the top left corner]' \
            '--cluster-size=[Dots of a cluster of clustered]:value: ' \
            '--dot-diameter=[Diameter of the dots of printer-model, in distances between dots]:value: ' \
            '--screen-lpi=[Lines an inch of screen; 0 suits the resolution]:value: ' \
            '--screen-angle=[Angle of the lines of screen, in degrees counterclockwise]:value: ' \
            '--text-edges=[Which gray edges between black and white become sharp]:value:(off crisp soft barcode)' \
            '--levels=[Gray levels of the output]:value:(2 4 8 16)' \
            '--tone-curve=[A file of lines '\''input output'\'', light in 0 … 255, in place of the dot gain]:file:_files' \
            '--black-point=[Light, of 255, up to which all is black; 32 suits what Ghostscript makes of CMYK]:value: ' \
            '--contrast=[Percent; above 0 steepens the middle tones]:value: ' \
            '--brightness=[Percent; above 0 lightens]:value: ' \
            '--gamma=[Above 1 lightens, below 1 darkens]:value: ' \
            '--tone-aim=[Whether tones look as on the screen, or reflect light in proportion]:value:(screen linear)' \
            '--toner-save=[Percent of ink that tints and pictures do without]:value: ' \
            '--dot-gain=[Percent by which the printer'\''s dots darken the middle tone]:value: ' \
            '*:file:_files' ;;
        calibrate)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '-o+[target\: write the sheet to this file, for a printer without a queue]:file:_files' \
            '--output=[target\: write the sheet to this file, for a printer without a queue]:file:_files' \
            '--type=[target -o\: what the dots are like]:value:(auto fine floyd-steinberg clustered printer-model bi-level screen best)' \
            '--cluster-size=[target -o\: dots of a cluster of clustered]:value: ' \
            '--resolution=[target -o\: dots an inch, such as 600 or 600x300]:value: ' \
            '--paper=[target -o\: a4, a5, a6, letter, legal or WIDTHxHEIGHT in millimetres]:value: ' \
            '--second[target\: print with the curve, for calibrate check]' \
            '--queue=[read\: the queue, which must be that of the sheet]:queue:_halftone_queues' \
            '--curve=[read\: write the curve to this file; target -o --second\: print with it]:file:_files' \
            '--picture=[read\: draw the tones before and after in this PNG file]:file:_files' \
            '--dry-run[read\: change nothing, only show the tones]' \
            '1:step:(target read check)' \
            '*:subject:{ case " $words " in *" "(target)" "*) _halftone_queues ;; *) _files ;; esac }' ;;
        convert)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '-o+[Output file, or a folder for several]:file:_files' \
            '--output=[Output file, or a folder for several]:file:_files' \
            '--format=[Output format, unless the name'\''s extension tells]:value:(tiff png bmp pbm pgm pnm)' \
            '--compression=[Compression of TIFF, and the first and third of PNG]:value:(none packbits deflate lzw g4)' \
            '--bigtiff[Write BigTIFF, which may exceed 4 GiB]' \
            '--pages=[Convert only these pages, counted from 1, such as 1-3,5]:value: ' \
            '--page=[Convert only these pages, counted from 1, such as 1-3,5]:value: ' \
            '--any-size[Trust images that have far more pixels than bytes]' \
            '--shard=[Convert only this part of the inputs, or of the pages of the only one, such as 2/8]:value: ' \
            '--resume[Keep outputs that are whole and made from the same; for TIFF and PNG]' \
            '--manifest=[List the outputs in this file, a line of JSON for each]:file:_files' \
            '--dpi=[Dots an inch of the output, such as 600 or 600x300]:value: ' \
            '--size=[Width and height of the output in mm, cm, in or px; one of them may be left out, as in 100mm or x80mm]:value: ' \
            '--rotate=[Turn clockwise by so many degrees]:value:(90 180 270)' \
            '--halftone-type=[What the dots are like]:value:(auto fine floyd-steinberg clustered printer-model bi-level screen best)' \
            '--cluster-size=[Dots of a cluster of clustered]:value: ' \
            '--dot-diameter=[Diameter of the dots of printer-model, in distances between dots]:value: ' \
            '--screen-lpi=[Lines an inch of screen; 0 suits the resolution]:value: ' \
            '--screen-angle=[Angle of the lines of screen, in degrees counterclockwise]:value: ' \
            '--text-edges=[Which gray edges between black and white become sharp]:value:(off crisp soft barcode)' \
            '--levels=[Gray levels of the output]:value:(2 4 8 16)' \
            '--tone-curve=[A file of lines '\''input output'\'', light in 0 … 255, in place of the dot gain]:file:_files' \
            '--black-point=[Light, of 255, up to which all is black; 32 suits what Ghostscript makes of CMYK]:value: ' \
            '--contrast=[Percent; above 0 steepens the middle tones]:value: ' \
            '--brightness=[Percent; above 0 lightens]:value: ' \
            '--gamma=[Above 1 lightens, below 1 darkens]:value: ' \
            '--tone-aim=[Whether tones look as on the screen, or reflect light in proportion]:value:(screen linear)' \
            '--toner-save=[Percent of ink that tints and pictures do without]:value: ' \
            '--dot-gain=[Percent by which the printer'\''s dots darken the middle tone]:value: ' \
            '--invert[Invert (negative)]' \
            '--engine=[auto, an engine that '\''halftone engines'\'' lists, remote (the daemon) or cuda (a GPU)]:engine:_halftone_engines' \
            '--socket=[The daemon'\''s socket, instead of halftoned.conf'\''s]:file:_files' \
            '--threads=[Number of threads; 0\: one for each processor]:value: ' \
            '--rows-per-band=[Rows that are halftoned at a time; 0\: what suits the page]:value: ' \
            '-q[Show no progress, only errors]' \
            '--quiet[Show no progress, only errors]' \
            '--json[Print a line of JSON on standard output for each file]' \
            '*:file:_files' ;;
        engines)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' ;;
        status)
          _arguments \
            '-h[Print this help message and exit]' \
            '--help[Print this help message and exit]' \
            '--json[Print JSON]' \
            '--metrics[Print metrics in the text format of OpenMetrics]' \
            '--http[Answer an HTTP request of standard input, for a socket of systemd]' \
            '--watch=[Show it again every so many seconds, 2 by default]:value: ' \
            '--socket=[The daemon'\''s status socket, instead of halftoned.conf'\''s]:file:_files' ;;
      esac ;;
  esac
}

_halftone "$@"
